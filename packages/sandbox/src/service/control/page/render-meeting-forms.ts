import { html, type Markup } from '../../../web/markup.ts';

/** Brings finished meetings of the last days. */
export function renderFillForm(): Markup {
  return html`<form method="post" action="/_sandbox/seed#meetings" class="fields">
    <label class="short"
      >Finished meetings <input type="number" name="meetings" value="12" min="1" max="500" required
    /></label>
    <button>Fill with meetings</button>
  </form>`;
}

/** Sends a bot, as the operation does; what is left empty is left out. */
export function renderRecordForm(): Markup {
  return html`<form method="post" action="/_sandbox/meetings#meetings" class="fields">
    <label>Title (or a sample’s) <input name="title" maxlength="200" autocomplete="off" /></label>
    <label>Link (or a made-up one) <input type="url" name="link" autocomplete="off" /></label>
    <label
      >Cron expression, for a series
      <input name="cron" maxlength="100" placeholder="0 9 * * 1" autocomplete="off"
    /></label>
    <label
      >Receiver of its events
      <input
        type="url"
        name="webhook_url"
        placeholder="http://127.0.0.1:8080/hooks/default"
        autocomplete="off"
    /></label>
    <label
      >Secret of the receiver
      <input type="password" name="webhook_secret" minlength="16" maxlength="128" autocomplete="new-password"
    /></label>
    <button>Record a meeting</button>
  </form>`;
}
