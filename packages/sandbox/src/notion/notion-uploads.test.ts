import { afterEach, describe, expect, it } from 'vitest';

import { callNotion } from '../testing/call-notion.ts';
import { pageOf, startTestNotion, stopTestNotions, words } from '../testing/start-test-notion.ts';

afterEach(stopTestNotions);

describe('files', () => {
  const data = new Blob(['%PDF-1.7 report']);

  it('are sent in one part and shown in a page', async () => {
    const { client, sourceId, url } = await startTestNotion();
    await client.dataSources.update({ data_source_id: sourceId, properties: { Files: { files: {} } } });
    const { id, status, upload_url } = await client.fileUploads.create({ filename: 'report.pdf' });
    expect([status, upload_url]).toEqual(['pending', `${url}/v1/file_uploads/${id}/send`]);
    const children = [{ file: { file_upload: { id } } }];
    const early = client.pages.create(pageOf(sourceId, { children }));
    await expect(early).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining(id) as string,
    });
    const sent = await client.fileUploads.send({ file_upload_id: id, file: { data, filename: 'x.pdf' } });
    expect(sent).toMatchObject({ status: 'uploaded', filename: 'report.pdf', content_length: 15 });
    const properties = { Name: { title: words('x') }, Files: { files: [{ file_upload: { id } }] } };
    const page = await client.pages.create(pageOf(sourceId, { properties, children }));
    expect(page).toMatchObject({
      properties: {
        Files: { files: [{ type: 'file', name: 'report.pdf', file: { url: expect.any(String) } }] },
      },
    });
    const { results } = await client.blocks.children.list({ block_id: page.id });
    expect(results).toMatchObject([{ type: 'file', file: { type: 'file', caption: [] } }]);
  });

  it('are sent in several parts', async () => {
    const { client } = await startTestNotion();
    const { id } = await client.fileUploads.create({
      mode: 'multi_part',
      number_of_parts: 2,
      filename: 'a.pdf',
    });
    const send = (part: string) =>
      client.fileUploads.send({ file_upload_id: id, file: { data }, part_number: part });
    await send('1');
    await expect(client.fileUploads.complete({ file_upload_id: id })).rejects.toMatchObject({
      message: '1 of 2 parts were sent.',
    });
    await send('2');
    const done = await client.fileUploads.complete({ file_upload_id: id });
    expect(done).toMatchObject({ status: 'uploaded', content_length: 30, number_of_parts: { sent: 2 } });
    await expect(send('3')).rejects.toMatchObject({ code: 'validation_error' });
    expect(await client.fileUploads.retrieve({ file_upload_id: id })).toMatchObject({ status: 'uploaded' });
  });

  it('that are none are refused', async () => {
    const { client, url } = await startTestNotion();
    const { id } = await client.fileUploads.create({});
    const path = `/v1/file_uploads/${id}/send`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    for (const body of [
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n--x--\r\n',
      '--x',
      '',
    ]) {
      expect((await callNotion(url, 'POST', path, body, headers)).body).toMatchObject({
        message: 'body failed validation: body.file should be defined, instead was `undefined`.',
      });
    }
    const address = { mode: 'external_url', external_url: 'https://a.io/x.pdf', filename: 'x.pdf' } as const;
    await expect(client.fileUploads.create(address)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
