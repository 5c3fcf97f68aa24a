/** What a path that was chosen wrong leads to; every other fault of the file system is one of the machine. */
const pathFaults: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
]);

export function isPathFault(code: string): boolean {
  return pathFaults.has(code);
}
