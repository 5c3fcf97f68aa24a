import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { useSharedStore } from '../testing/use-ledger.ts';
import { hashDraft, keepEdit, readEdit } from './draft-edits.ts';

const content = 'a'.repeat(64);
const effectKey = 'e'.repeat(64);

describeEachStore(
  'an edited draft',
  (kind) => {
    const open = useSharedStore(() => openTestStore(kind));
    it('counts for the content that was changed, and for this change alone', async () => {
      const { opened: shared } = open();
      const edit = { to: 'dana@partner.example', subject: 'New' };
      const other = { to: 'evil@z.io', subject: 'New' };
      const approved = hashDraft(content, edit);
      await keepEdit(shared, effectKey, approved, edit, 0);
      await keepEdit(shared, effectKey, hashDraft(content, other), other, 0);
      expect(await readEdit(shared, effectKey, approved, content)).toEqual(edit);
      expect(await readEdit(shared, effectKey, approved, 'b'.repeat(64))).toBeUndefined();
      expect(await readEdit(shared, 'f'.repeat(64), approved, content)).toBeUndefined();
      expect(await readEdit(shared, effectKey, content, content)).toBeUndefined();
      // What was written over what was approved does not count.
      await keepEdit(shared, effectKey, approved, other, 0);
      expect(await readEdit(shared, effectKey, approved, content)).toBeUndefined();
    });

    it('has the hash of its content when nothing was changed', () => {
      expect(hashDraft(content)).toBe(content);
      expect(hashDraft(content, {})).toBe(content);
      const hashes = [{ to: 'x' }, { subject: 'x' }, { to: 'x', subject: 'x' }].map((edit) =>
        hashDraft(content, edit),
      );
      expect(new Set([content, ...hashes]).size).toBe(4);
    });
  },
  ['redis', 'postgres'],
);
