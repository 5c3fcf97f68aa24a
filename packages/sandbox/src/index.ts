// The public surface of the sandbox.
export { contentLanguages, type ContentLanguage } from './content/load-content.ts';
export { createSandbox, type Sandbox } from './create-sandbox.ts';
export { describeGivenMeeting, readGivenMeeting, type GivenMeetingResult } from './given-meeting.ts';
export type { Transitions } from './lifecycle.ts';
export type { Completion, Failure, Finish } from './meeting-changes.ts';
export type { DefaultWebhook, PageLink, SandboxOptions, SandboxStep } from './sandbox-options.ts';
export type { Seeding, SeedOptions } from './seed.ts';
export { readServiceOptions, type ServiceOptionChanges, type ServiceOptions } from './service-options.ts';
export type { UploadView } from './uploads/upload-store.ts';
export type { DeliveryAttempt, DeliveryView } from './webhooks/delivery.ts';
export {
  createVendorEmulators,
  type VendorEmulators,
  type VendorEmulatorsOptions,
} from './emulators/vendor-emulators.ts';
export type { EmulatorSettings, Intercept, InterceptedCall, Interception } from './emulators/emulator.ts';
export { createMailEmulator, type MailEmulator, type MailListenOptions } from './emulators/mail/mail.ts';
export type { ReceivedMail } from './emulators/mail/received-mail.ts';
export type { DataSourceSetting, PropertySetting } from './emulators/notion/data-sources.ts';
export {
  createNotionEmulator,
  type NotionEmulator,
  type NotionEmulatorSettings,
} from './emulators/notion/notion.ts';
export type { NotionOptions } from './emulators/notion/options.ts';
export {
  defaultDataSourceId,
  defaultTasksDataSourceId,
  type NotionBlockTree,
  type NotionPage,
  type NotionProperty,
} from './emulators/notion/state.ts';
export type { SlackOptions } from './emulators/slack/options.ts';
export {
  createSlackEmulator,
  type SlackEmulator,
  type SlackEmulatorSettings,
} from './emulators/slack/slack.ts';
export type { SlackChannel, SlackMessage, SlackUser } from './emulators/slack/state.ts';
export { loadVendorSchema, type SchemaProblem, type VendorSchema } from './emulators/vendor-schema.ts';
export type { OptionStore } from './option-store.ts';
export type { ListenOptions } from './web/listen.ts';
export type { FaultOrder, FaultPlan, PlannedFault } from './faults.ts';
export type { CallFault, DeliveryFault } from './faults.ts';
