import { launchReview } from './launch-review.ts';
import { warehouseSync } from './warehouse-sync.ts';

/** The meetings that recordings turn into, in turn. */
export const sampleMeetings = [launchReview, warehouseSync] as const;
