// Stripe's constructEvent on express.raw, as its documentation shows it.
import { createServer } from 'node:http';

import { SECRET } from '../deliveries.mjs';
import { importPeer } from './import-peer.mjs';
import { listen } from './listen.mjs';

export async function start() {
  const { default: express } = await importPeer('express');
  const { default: Stripe } = await importPeer('stripe');
  const stripe = new Stripe('sk_test_bench');
  const app = express();
  app.post('/hooks/bench', express.raw({ type: 'application/json' }), (request, response) => {
    try {
      stripe.webhooks.constructEvent(request.body, request.headers['stripe-signature'], SECRET);
    } catch (error) {
      response.status(400).send(`Webhook Error: ${error.message}`);
      return;
    }
    response.json({ received: true });
  });
  return { port: await listen(createServer(app)) };
}
