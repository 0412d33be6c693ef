import type { Api } from './api';
import type { MyInvitation } from './api-types';
import type { TestApp } from './app';
import { idOf, unique } from './factories';

export async function myInvitations(api: Api): Promise<MyInvitation[]> {
  return (await api.get('/v1/users/me/invitations?limit=100')).body;
}

/** @returns the answer of the caller to one of their invitations */
export async function answer(api: Api, id: string, word: 'accept' | 'decline'): Promise<MyInvitation> {
  return (await api.post(`/v1/users/me/invitations/${id}/${word}`, undefined, 200)).body;
}

/** A person who has signed in, with their verified address. */
export async function createPerson(test: TestApp): Promise<{ api: Api; id: string; email: string }> {
  const subject = unique('person');
  const api = await test.as(subject);
  return { api, id: await idOf(api), email: `${subject}@example.com` };
}
