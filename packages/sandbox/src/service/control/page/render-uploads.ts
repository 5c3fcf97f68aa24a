import { html, type Markup } from '../../../web/markup.ts';
import type { UploadView } from '../../uploads/upload.ts';
import { renderRest, takeNewest } from './newest.ts';
import { shorten } from './shorten.ts';

/** The uploads that are no meeting yet; nothing where there are none. */
export function renderUploads(uploads: readonly UploadView[]): Markup | false {
  const underWay = uploads.filter(({ meeting_id: meetingId }) => meetingId === null);
  return (
    underWay.length > 0 &&
    html`<h2 id="uploads">Uploads under way</h2>
      ${takeNewest(underWay).map(renderUpload)} ${renderRest(underWay.length, '/_sandbox/uploads')}`
  );
}

function renderUpload({ id, filename, chunk_total: chunkTotal, chunks, bytes }: UploadView): Markup {
  const name = shorten(filename, 200);
  const wanted = chunkTotal - 1;
  return html`<article class="card">
    <h3><bdi>${name}</bdi></h3>
    <progress max="${wanted}" value="${chunks.length}" aria-label="${name}"></progress>
    <p class="small soft">
      ${chunks.length} of ${wanted} ${wanted === 1 ? 'chunk' : 'chunks'}, ${bytes.toLocaleString('en')}
      ${bytes === 1 ? 'byte' : 'bytes'}${chunks.length === wanted && '; the empty last one is missing'} ·
      <code>${id}</code>
    </p>
  </article>`;
}
