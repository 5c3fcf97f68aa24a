import { expect, it } from 'vitest';

import { tidyHtml } from '../../../testing/tidy-html.ts';
import type { UploadView } from '../../uploads/upload.ts';
import { renderUploads } from './render-uploads.ts';

const upload: UploadView = {
  id: 'u-1',
  upload_session_id: 's-1',
  filename: '<b>town hall.mp4',
  chunk_total: 4,
  chunks: [0, 2],
  requests: 2,
  bytes: 41_943_040,
  sha256: null,
  meeting_id: null,
};

function render(...uploads: readonly UploadView[]): string {
  const shown = renderUploads(uploads);
  return shown === false ? '' : tidyHtml(shown.text);
}

it('shows those that are under way, with how far they are', () => {
  expect(render({ ...upload, meeting_id: 'm-1' }, upload)).toBe(
    '<h2 id="uploads">Uploads under way</h2><article class="card"><h3><bdi>&lt;b&gt;town hall.mp4</bdi></h3>' +
      '<progress max="3" value="2" aria-label="&lt;b&gt;town hall.mp4"></progress>' +
      '<p class="small soft">2 of 3 chunks, 41,943,040 bytes · <code>u-1</code></p></article>',
  );
});

it('says when only the final request is missing', () => {
  expect(render({ ...upload, chunk_total: 2, chunks: [0] })).toContain(
    '1 of 1 chunk, 41,943,040 bytes; the empty last one is missing ·',
  );
});

it('is nothing where all are complete', () => {
  expect(render({ ...upload, meeting_id: 'm-1' })).toBe('');
});
