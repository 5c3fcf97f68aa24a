// The public surface of the sandbox.
export {
  createVendorStandIns,
  type VendorStandIns,
  type VendorStandInsOptions,
} from './create-vendor-stand-ins.ts';
export { contentLanguages, type ContentLanguage } from './content/languages.ts';
export type { FaultOrder, FaultPlan, PlannedFault } from './faults/fault-plan.ts';
export type { CallFault, DeliveryFault } from './faults/fault.ts';
export {
  createMailStandIn,
  type MailListenOptions,
  type MailStandIn,
  type MailStandInOptions,
} from './mail/create-mail-stand-in.ts';
export type { MailKnobs } from './mail/mail-knobs.ts';
export { readMail, type ReceivedMail } from './mail/read-mail.ts';
export {
  createNotionStandIn,
  type NotionStandIn,
  type NotionStandInOptions,
} from './notion/create-notion-stand-in.ts';
export type { NotionBlockTree } from './notion/blocks/notion-block.ts';
export { defaultDataSourceId, defaultTasksDataSourceId, workspacePageId } from './notion/notion-ids.ts';
export type { NotionPage, NotionProperty } from './notion/pages/notion-page.ts';
export type { DataSourceSetup, PropertySetup } from './notion/sources/first-sources.ts';
export type { PropertyType } from './notion/sources/property-types.ts';
export { createSandbox, type Sandbox } from './service/create-sandbox.ts';
export type { SandboxOptions } from './service/sandbox-options.ts';
export type { DeliveryAttempt, DeliveryView } from './service/deliveries/delivery.ts';
export type { Assumption, Lever } from './service/knobs/assumptions/assumption.ts';
export { assumptions } from './service/knobs/assumptions/assumptions.ts';
export { describeKnobs, type KnobDescription } from './service/knobs/describe-knobs.ts';
export { knobsSchema, type KnobChanges, type Knobs } from './service/knobs/knobs.ts';
export type { Completion, Failure, Finish } from './service/life/finish-meeting.ts';
export type { Transitions } from './service/life/transitions.ts';
export { renderNotionBlocks } from './notion/page/render-notion-block.ts';
export { renderBlock as renderSlackBlock } from './slack/page/render-block.ts';
export { html, type Markup } from './web/markup.ts';
export { renderPage } from './web/render-page.ts';
export type { PageLink } from './service/control/render-sandbox-page.ts';
export type { SandboxStep } from './service/sandbox-step.ts';
export type { Seeding } from './service/seed/seed-meetings.ts';
export type { SeedOptions } from './service/seed/seed-options.ts';
export { DataFolderError } from './service/state/data-folder-error.ts';
export type { UploadView } from './service/uploads/upload.ts';
export {
  createSlackStandIn,
  type SlackStandIn,
  type SlackStandInOptions,
} from './slack/create-slack-stand-in.ts';
export type { SlackChannel } from './slack/slack-channels.ts';
export type { SlackKnobs } from './slack/slack-knobs.ts';
export type { SlackMessage } from './slack/slack-message.ts';
export type { SlackUser } from './slack/slack-users.ts';
export type { Intercept, InterceptedRequest, Interception } from './stand-ins/interception.ts';
export type { StandIn } from './stand-ins/stand-in.ts';
export { loadVendorSchema, type SchemaProblem, type VendorSchema } from './stand-ins/vendor-schema.ts';
export type { ListenOptions } from './web/start-listening.ts';
