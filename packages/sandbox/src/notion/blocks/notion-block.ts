import type { Parts } from '../../web/read-parts.ts';
import type { NotionParent } from '../pages/notion-page.ts';

/** One block as the stand-in keeps it. What is inside it is kept by the world, under its id. */
export interface NotionBlock {
  readonly id: string;
  readonly type: string;
  /** In the shape of answers, without children. */
  readonly content: Parts;
  readonly parent: NotionParent;
  /** ISO 8601, cut to the minute. */
  readonly createdTime: string;
  readonly lastEditedTime: string;
  readonly isInTrash: boolean;
}

/** A block with all that is in it, for readers. */
export interface NotionBlockTree {
  readonly id: string;
  readonly type: string;
  readonly content: Parts;
  readonly children: readonly NotionBlockTree[];
}
