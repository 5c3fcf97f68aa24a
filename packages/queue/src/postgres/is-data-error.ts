import pg from 'pg';

/** Class 22: a value that PostgreSQL can't hold; class 23: one that breaks a rule of its table. */
export function isPostgresDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '');
}
