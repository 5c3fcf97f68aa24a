// The public surface of the receiver.
export {
  createDeliveryHandler,
  DEFAULT_MAX_BODY_BYTES,
  DEFAULT_TOLERANCE_SECONDS,
  type DeliveryHandler,
  type DeliveryHandlerOptions,
} from './delivery-handler.ts';
export { type Endpoint, type Endpoints, isEndpointName } from './endpoints.ts';
export { formatAddress } from './format-address.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';
