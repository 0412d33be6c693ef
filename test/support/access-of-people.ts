import { newId } from '../../src/database/id';
import { given, nothing, type Recipe, type Row } from './access-table';
import { idOf, unique } from './factories';

const user: Recipe = async ({ test: { as } }) => ({ path: { user_id: await idOf(await as(unique('somebody'))) } });
const invitation: Recipe = () => ({ path: { invitation_id: newId() } });

/** The accounts of others are for platform administrators, whatever anybody is in an organisation. */
export const PEOPLE_ROWS: readonly Row[] = [
  ['GET /v1/users', [401, 403, 403, 403, 403, 403], nothing],
  ['POST /v1/users/{user_id}/close', [401, 403, 403, 403, 403, 403], user],
  ['POST /v1/users/{user_id}/reopen', [401, 403, 403, 403, 403, 403], user],
  ['POST /v1/users/{user_id}/password-reset-link', [401, 403, 403, 403, 403, 403], user],
  ['GET /v1/users/invitations', [401, 403, 403, 403, 403, 403], nothing],
  [
    'POST /v1/users/invitations',
    [401, 403, 403, 403, 403, 403],
    given(nothing, () => ({ email: `${unique('guest')}@example.com` })),
  ],
  ['GET /v1/users/invitations/{invitation_id}', [401, 403, 403, 403, 403, 403], invitation],
  ['DELETE /v1/users/invitations/{invitation_id}', [401, 403, 403, 403, 403, 403], invitation],
];
