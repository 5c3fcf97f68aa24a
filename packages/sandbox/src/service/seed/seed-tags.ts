import type { SandboxWorld } from '../sandbox-world.ts';
import type { Tag } from '../tags/tag-store.ts';

/** Each with the templates of the meetings that it suits; without, it suits any. */
const seeds: readonly {
  readonly name: string;
  readonly color: string;
  readonly suits?: readonly string[];
}[] = [
  { name: 'Customers', color: 'green', suits: ['sales-meeting', 'default-meeting'] },
  { name: 'Team', color: 'blue', suits: ['team-sync', 'project-sync'] },
  { name: 'Hiring', color: 'purple', suits: ['hr-interview'] },
  { name: 'Follow up', color: 'orange' },
];

export interface SeededTag {
  readonly id: string;
  readonly suits: (templateName: string) => boolean;
}

/** The tags that seeded meetings have: those of the workspace that are called so, made where they are absent. */
export function seedTags(world: Pick<SandboxWorld, 'tags' | 'makeId' | 'knobs'>): readonly SeededTag[] {
  const { tagColors } = world.knobs.read();
  return seeds.map(({ name, color, suits }) => {
    const known = world.tags.findByName(name);
    const isAllowed = tagColors === 'any' || tagColors.includes(color);
    const tag: Tag = known ?? {
      id: world.makeId(),
      name,
      color: isAllowed ? color : (tagColors[0] ?? color),
    };
    if (known === undefined) world.tags.put(tag);
    return { id: tag.id, suits: (templateName) => suits === undefined || suits.includes(templateName) };
  });
}
