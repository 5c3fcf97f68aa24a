import type { BlockName } from './block-names.ts';

/** A report template that belongs to the workspace. */
export interface CustomTemplate {
  readonly id: string;
  readonly name: string;
  readonly blocks: readonly BlockName[];
}

/** The workspace's two custom templates; their ids are the same at every start. */
export const customTemplates: readonly CustomTemplate[] = [
  {
    id: '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07',
    name: 'Design sync',
    blocks: ['summary_agenda', 'decisions', 'tasks'],
  },
  {
    id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d',
    name: 'Customer call',
    blocks: ['summary', 'questions_and_answers', 'tasks'],
  },
];
