import { z } from 'zod';

/** The plans of the specification, and what a workspace without one has. */
export const planNames = ['none', 'lite', 'pro', 'business'] as const;

/** What the workspace has paid for. */
export const planSchema = z
  .object({
    name: z.enum(planNames),
    /** Of recorded meetings; null: as many as one likes. */
    minutesLeft: z.int().min(0).nullable(),
  })
  .readonly();

export type Plan = z.infer<typeof planSchema>;

export const firstPlan: Plan = { name: 'business', minutesLeft: null };
