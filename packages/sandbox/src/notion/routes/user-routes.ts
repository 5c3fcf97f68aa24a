import { refuseUnknown } from '../notion-refusal.ts';
import type { NotionRoute } from '../notion-route.ts';
import { botUser, describeUser } from '../notion-users.ts';
import { paginate } from './paginate.ts';

/** https://developers.notion.com/reference/get-users and its neighbours. */
export const userRoutes: readonly NotionRoute[] = [
  {
    target: 'users.me',
    method: 'GET',
    path: '/v1/users/me',
    play: () => describeUser(botUser),
  },
  {
    target: 'users.list',
    method: 'GET',
    path: '/v1/users',
    needs: 'read_users',
    query: ['start_cursor', 'page_size'],
    play: (world, { query }) => paginate(world.users, query, 'user', describeUser, ({ id }) => id),
  },
  {
    target: 'users.retrieve',
    method: 'GET',
    path: '/v1/users/:user_id',
    needs: 'read_users',
    play(world, { ids }) {
      const user = world.users.find(({ id }) => id === ids['user_id']);
      return user === undefined ? refuseUnknown('user', ids['user_id'] ?? '') : describeUser(user);
    },
  },
];
