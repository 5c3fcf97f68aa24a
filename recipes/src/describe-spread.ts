const ending = ' planned from the report';

/** What the ledger says of an effect whose only work was to plan others. */
export function describeSpread(count: number): string {
  return `${count} effect${count === 1 ? '' : 's'}${ending}`;
}

/** Whether that is what the ledger says. */
export function isSpread(cause: string | undefined): boolean {
  return cause?.endsWith(ending) === true;
}
