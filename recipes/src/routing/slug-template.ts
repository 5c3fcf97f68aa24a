/** `sales-meeting` of `Sales Meeting`: the slugs of the built-in templates follow this pattern. Bounded in length. */
export function slugTemplate(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('-');
}
