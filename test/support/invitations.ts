import type { Api } from './api';
import type { TestApp } from './app';
import { idOf, unique } from './factories';

/** What `POST …/members` and `GET …/invitations` say. */
export interface Invitation {
  id: string;
  email: string | null;
  user_id: string | null;
  role: string;
  status: string;
  expires_at: string;
  created_at: string;
}

/** What `GET /v1/users/me/invitations` says. */
export interface MyInvitation {
  id: string;
  kind: 'INVITATION' | 'DIRECTORY';
  org_id: string;
  name: string;
  slug: string;
  role: string | null;
  status: string;
  expires_at: string | null;
  created_at: string;
}

export async function myInvitations(api: Api): Promise<MyInvitation[]> {
  return (await api.get('/v1/users/me/invitations?limit=100')).body as MyInvitation[];
}

/** @returns the answer of the caller to one of their invitations */
export async function answer(api: Api, id: string, word: 'accept' | 'decline'): Promise<MyInvitation> {
  return (await api.post(`/v1/users/me/invitations/${id}/${word}`, undefined, 200)).body as MyInvitation;
}

/** A person who has signed in, with their verified address. */
export async function createPerson(test: TestApp): Promise<{ api: Api; id: string; email: string }> {
  const subject = unique('person');
  const api = await test.as(subject);
  return { api, id: await idOf(api), email: `${subject}@example.com` };
}
