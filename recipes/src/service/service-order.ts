/** A report that is to have a template, after which the other recipes are to see it. */
export interface ServiceOrder {
  readonly meetingId: string;
  /** A built-in slug or the id of a custom template. */
  readonly template: string;
  /** What reports call it, where that is neither its slug nor the name that the workspace has for it. */
  readonly shownAs?: string;
  /** Whose recipes see the report that was made. */
  readonly endpoint: string;
}
