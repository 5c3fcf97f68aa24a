/** Something that happened in the sandbox, for whoever watches: ids and figures, no content. */
export type SandboxStep =
  | { readonly kind: 'meeting_recorded'; readonly meetingId: string }
  | { readonly kind: 'meeting_completed'; readonly meetingId: string }
  | { readonly kind: 'meeting_failed'; readonly meetingId: string }
  | {
      readonly kind: 'delivery_attempted';
      readonly deliveryId: string;
      readonly meetingId: string;
      /** The receiver's answer, when there was one. */
      readonly status?: number;
      /** Why there was none. */
      readonly error?: string;
      readonly elapsedMs: number;
    }
  | { readonly kind: 'report_served'; readonly meetingId: string };
