// The public surface of the receiver.
export {
  createDeliveryHandler,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_TOLERANCE_SECONDS,
  type DeliveryHandler,
  type DeliveryHandlerOptions,
} from './delivery-handler.ts';
export { createDeliveryMeter, type DeliveryMeter, type MeterReading } from './delivery-meter.ts';
export { createEndpointBox, type EndpointBox } from './endpoint-box.ts';
export { type Endpoint, type Endpoints, isEndpointName } from './endpoints.ts';
export { formatAddress } from './format-address.ts';
export { isOperator } from './is-operator.ts';
export type { ReloadResult } from './operator-app.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';
export { METRICS_CONTENT_TYPE, renderMetrics } from './render-metrics.ts';
