import fc from 'fast-check';
import { Api } from '../support/api';
import type { Listing, Review, ReviewCreate } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createListing, idOf, unique } from '../support/factories';
import { watchEvents } from '../support/organisations';
import { allPages } from '../support/pages';
import { cases } from '../support/random-cases';

let test: TestApp;
let cast: Cast;
let chief: Api;

beforeAll(async () => {
  test = await createTestApp({ env: { PLATFORM_ADMINS: 'chief' } });
  cast = await createCast(test);
  chief = await test.as('chief');
});

afterAll(() => test.close());

const newListing = (fields = {}) => createListing(test.dataSource, fields);
const base = (listingId: string) => `/v1/mcp/listings/${listingId}/reviews` as const;
const write = async (api: Api, listingId: string, review: ReviewCreate): Promise<Review> =>
  (await api.post(base(listingId), review)).body;
const ratingOf = async (listingId: string, api: Api = cast.owner) =>
  (await api.get(`/v1/mcp/listings/${listingId}`)).body.rating;
const newPerson = () => test.as(unique('reader'));

describe('The reviews of all public listings', () => {
  const path = '/v1/platform/reviews';

  it('are for platform administrators, with names and listings, and hidden ones with their reasons', async () => {
    const id = await newListing({ title: 'Weather' });
    const [author, other] = [await newPerson(), await newPerson()];
    const review = await write(author, id, { rating: 1, text: 'Ask Carol of Example Ltd.' });
    const second = await write(other, id, { rating: 5 });
    const draft = await newListing({ visibility: 'PRIVATE', orgId: cast.orgId });
    const secret = await write(cast.owner, draft, { rating: 3 });
    const reason = 'It names a customer.';
    await chief.post(`${base(id)}/${review.id}/hide`, { reason }, 200);
    const hidden = (await allPages(chief, `${path}?state=HIDDEN`)).find((one) => one.id === review.id);
    expect(hidden).toMatchObject({ is_hidden: true, hidden_reason: reason, listing: { id } });
    expect(hidden?.hidden_at).toEqual(expect.any(String));
    const shownIds = (await allPages(chief, `${path}?state=SHOWN&limit=1`)).map((one) => one.id);
    expect(shownIds).toContain(second.id);
    expect(shownIds).not.toContain(review.id);
    const all = (await allPages(chief, path)).map((one) => one.id);
    expect(all).toEqual([...all].sort().reverse());
    expect(all).toEqual(expect.arrayContaining([review.id, second.id]));
    expect(all).not.toContain(secret.id);
    await cast.owner.get(path, 403);
  });
});

describe('A review', () => {
  it('is written once by everyone who can see the listing, and counts in it', async () => {
    const id = await newListing();
    expect(await ratingOf(id)).toEqual({ mean: null, count: 0 });
    const response = await cast.member.post(base(id), { rating: 5, text: 'Fast.' });
    const review = response.body;
    expect(response.headers.location).toBe(`${base(id)}/${review.id}`);
    expect(review).toEqual({
      id: review.id,
      rating: 5,
      text: 'Fast.',
      author: { user_id: await idOf(cast.member), name: null },
      is_own: true,
      is_hidden: false,
      hidden_reason: null,
      answer: null,
      created_at: review.created_at,
      updated_at: review.created_at,
    });
    await write(cast.outsider, id, { rating: 4 });
    await write(cast.admin, id, { rating: 4, text: '' });
    expect(await ratingOf(id)).toEqual({ mean: 4.3, count: 3 });
    const again = await cast.member.post(base(id), { rating: 1 }, 409);
    expect(again.body).toMatchObject({ code: 'review_conflict' });
    expect(await ratingOf(id)).toEqual({ mean: 4.3, count: 3 });
    expect((await cast.outsider.get(`${base(id)}/${review.id}`)).body).toEqual({ ...review, is_own: false });
  });

  it('shows the name of its author only to those who share an organisation with them', async () => {
    const id = await newListing();
    const subject = unique('named');
    const named = new Api(test.url, test.document, await test.token(subject, { name: 'Ann Author' }));
    const { author } = await write(named, id, { rating: 3 });
    expect(author.name).toBe('Ann Author');
    const [seen] = (await cast.outsider.get(base(id))).body;
    expect(seen?.author).toEqual({ user_id: author.user_id, name: null });
  });

  it('is refused for a listing that the caller cannot see, or that is not published', async () => {
    const hidden = await newListing({ visibility: 'PRIVATE', orgId: cast.orgId });
    await cast.outsider.post(base(hidden), { rating: 5 }, 404);
    await cast.outsider.get(base(hidden), 404);
    await write(cast.member, hidden, { rating: 5 });
    for (const status of ['DRAFT', 'ARCHIVED']) {
      const id = await newListing({ status, orgId: cast.orgId });
      expect((await cast.owner.post(base(id), { rating: 5 }, 409)).body).toMatchObject({ code: 'review_conflict' });
    }
  });

  it.each<[string, object, string[], string]>([
    ['no rating', {}, ['rating'], 'missing'],
    ['a rating of 0', { rating: 0 }, ['rating'], 'greater_than_equal'],
    ['a rating of 6', { rating: 6 }, ['rating'], 'less_than_equal'],
    ['half a star', { rating: 4.5 }, ['rating'], 'int_parsing'],
    ['a text of 4,001 characters', { rating: 4, text: 'x'.repeat(4_001) }, ['text'], 'string_too_long'],
    ['a NUL character', { rating: 4, text: 'a\0b' }, ['text'], 'value_error'],
    ['an unknown field', { rating: 4, is_hidden: true }, ['is_hidden'], 'extra_forbidden'],
  ])('is refused with %s, and the error names the field', async (_, body, where, type) => {
    const id = await newListing();
    const { detail } = (await cast.member.post(base(id), body, 422)).body;
    expect(detail.map(({ loc, type }) => ({ loc, type }))).toEqual([{ loc: ['body', ...where], type }]);
    expect(await ratingOf(id)).toEqual({ mean: null, count: 0 });
  });

  it('is changed and deleted by its author alone', async () => {
    const id = await newListing({ orgId: cast.orgId });
    const review = await write(cast.outsider, id, { rating: 2, text: 'Slow.' });
    const path = `${base(id)}/${review.id}` as const;
    const changed = (await cast.outsider.patch(path, { rating: 4, text: null })).body;
    expect(changed).toMatchObject({ rating: 4, text: 'Slow.' });
    expect(await ratingOf(id)).toEqual({ mean: 4, count: 1 });
    for (const api of [cast.owner, cast.member, chief]) {
      await api.patch(path, { rating: 1 }, 403);
      await api.delete(path, 403);
    }
    await cast.outsider.delete(path);
    await cast.outsider.get(path, 404);
    expect(await ratingOf(id)).toEqual({ mean: null, count: 0 });
    await write(cast.outsider, id, { rating: 1 });
  });

  it('can be deleted by its author after the listing has become private, but no longer be read', async () => {
    const id = await newListing({ orgId: cast.orgId });
    const { id: reviewId } = await write(cast.outsider, id, { rating: 2 });
    await cast.owner.patch(`/v1/mcp/listings/${id}`, { visibility: 'PRIVATE' });
    const path = `${base(id)}/${reviewId}` as const;
    await cast.outsider.get(path, 404);
    await cast.outsider.patch(path, { rating: 3 }, 404);
    const stranger = await newPerson();
    await stranger.delete(path, 404);
    await cast.outsider.delete(path);
    expect(await ratingOf(id)).toEqual({ mean: null, count: 0 });
  });

  it('is not found below another listing', async () => {
    const [one, other] = [await newListing(), await newListing()];
    const { id } = await write(cast.member, one, { rating: 2 });
    expect((await cast.member.get(`${base(other)}/${id}`, 404)).body).toMatchObject({ code: 'review_not_found' });
    await cast.member.delete(`${base(other)}/${id}`, 404);
  });

  it('is answered once, by those who speak for the listing', async () => {
    const ofOrganisation = await newListing({ orgId: cast.orgId });
    const person = await newPerson();
    const ofPerson = await newListing({ ownerId: await idOf(person) });
    const ofPlatform = await newListing();
    const cases: [listing: string, answerers: Api[], others: Api[]][] = [
      [ofOrganisation, [cast.admin, cast.owner], [cast.member, cast.outsider, person, chief]],
      [ofPerson, [person], [cast.owner, cast.outsider, chief]],
      [ofPlatform, [chief], [cast.owner, cast.outsider, person]],
    ];
    for (const [listing, [first, ...further], others] of cases) {
      if (!first) throw new Error('Each listing has someone who speaks for it.');
      const { id, updated_at } = await write(cast.outsider, listing, { rating: 2 });
      const path = `${base(listing)}/${id}/answer` as const;
      for (const api of others) await api.put(path, { text: 'No.' }, 403);
      const answered = (await first.put(path, { text: 'Fixed.' }, 200)).body;
      expect(answered).toMatchObject({ answer: { text: 'Fixed.' }, updated_at });
      for (const api of [first, ...further]) {
        expect((await api.put(path, { text: 'Again.' }, 409)).body).toMatchObject({ code: 'review_conflict' });
      }
    }
    await cast.owner.put(`${base(ofOrganisation)}/${ofOrganisation}/answer`, { text: 'To no one.' }, 404);
  });

  it('is hidden with a reason and shown again by platform administrators; hidden, it does not count', async () => {
    const id = await newListing({ orgId: cast.orgId });
    const { id: reviewId } = await write(cast.outsider, id, { rating: 1, text: 'Buy elsewhere.' });
    await write(cast.member, id, { rating: 4 });
    const path = `${base(id)}/${reviewId}` as const;
    for (const api of [cast.owner, cast.outsider]) {
      await api.post(`${path}/hide`, { reason: 'Advertising.' }, 403);
      await api.post(`${path}/show`, undefined, 403);
    }
    await chief.post(`${path}/hide`, { reason: '   ' }, 422);
    const hidden = await chief.post(`${path}/hide`, { reason: 'Advertising.' }, 200);
    expect(hidden.body).toMatchObject({ is_hidden: true, hidden_reason: 'Advertising.' });
    expect(await ratingOf(id)).toEqual({ mean: 4, count: 1 });
    for (const api of [cast.owner, cast.member]) {
      await api.get(path, 404);
      await api.put(`${path}/answer`, { text: 'Hello?' }, 404);
      expect((await api.get(base(id))).body.map(({ rating }) => rating)).toEqual([4]);
    }
    for (const api of [cast.outsider, chief]) {
      expect((await api.get(path)).body).toMatchObject({ is_hidden: true, hidden_reason: 'Advertising.' });
      expect((await api.get(base(id))).body.map(({ rating }) => rating)).toEqual([4, 1]);
    }
    // Otherwise its author could write it again.
    expect((await cast.outsider.delete(path, 409)).body).toMatchObject({ code: 'review_conflict' });
    await cast.outsider.post(base(id), { rating: 1 }, 409);
    expect((await cast.outsider.patch(path, { rating: 2, text: '' })).body).toMatchObject({
      is_hidden: true,
      text: '',
    });
    expect(await ratingOf(id)).toEqual({ mean: 4, count: 1 });
    const shown = await chief.post(`${path}/show`, undefined, 200);
    expect(shown.body).toMatchObject({ is_hidden: false, hidden_reason: null, rating: 2 });
    expect(await ratingOf(id)).toEqual({ mean: 3, count: 2 });
  });

  it('emits an event to the owner of the listing with each change, and none when nothing changes', async () => {
    const id = await newListing({ orgId: cast.orgId });
    const events = watchEvents(test.dataSource, cast.orgId);
    await events();
    const { id: reviewId } = await write(cast.outsider, id, { rating: 2 });
    const path = `${base(id)}/${reviewId}` as const;
    for (let time = 0; time < 2; time++) {
      await cast.outsider.patch(path, { rating: 3 });
      await chief.post(`${path}/hide`, { reason: 'Why not.' }, 200);
    }
    await chief.post(`${path}/hide`, { reason: 'Another reason.' }, 200);
    for (let time = 0; time < 2; time++) await chief.post(`${path}/show`, undefined, 200);
    await cast.owner.put(`${path}/answer`, { text: 'Thanks.' }, 200);
    await cast.outsider.delete(path);
    const [{ name } = { name: '' }] = await test.dataSource.query<{ name: string }[]>(
      `SELECT name FROM listings WHERE id = $1`,
      [id],
    );
    const [user_id, answered_by] = [await idOf(cast.outsider), await idOf(cast.owner)];
    const review = { review_id: reviewId, listing_id: id, name, user_id, org_id: cast.orgId };
    expect(await events()).toEqual([
      { type: 'review.created', data: { ...review, rating: 2 } },
      { type: 'review.updated', data: { ...review, rating: 3, changed: ['rating'] } },
      { type: 'review.hidden', data: { ...review, rating: 3, reason: 'Why not.' } },
      { type: 'review.hidden', data: { ...review, rating: 3, reason: 'Another reason.' } },
      { type: 'review.shown', data: { ...review, rating: 3 } },
      { type: 'review.answered', data: { ...review, rating: 3, answered_by } },
      { type: 'review.deleted', data: { ...review, rating: 3 } },
    ]);
  });
});

describe('The reviews of a listing', () => {
  it('are listed newest first, in pages, and those of the caller alone on request', async () => {
    const id = await newListing();
    const written: string[] = [];
    for (let n = 0; n < 5; n++) written.unshift((await write(await newPerson(), id, { rating: 3 })).id);
    const own = await write(cast.member, id, { rating: 5 });
    const rows = await allPages(cast.member, `${base(id)}?limit=2`);
    expect(rows.map((row) => row.id)).toEqual([own.id, ...written]);
    expect((await cast.member.get(`${base(id)}?mine=true`)).body).toEqual([own]);
    expect((await cast.admin.get(`${base(id)}?mine=true`)).body).toEqual([]);
  });

  it('are counted exactly while people write, change, hide and delete them at the same time', async () => {
    const id = await newListing();
    const people = await Promise.all(Array.from({ length: 6 }, newPerson));
    const step = fc.record({
      person: fc.nat(people.length - 1),
      what: fc.constantFrom('write', 'change', 'hide', 'show', 'delete'),
      rating: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        await Promise.all(
          steps.map(async ({ person, what, rating }) => {
            const api = people[person];
            if (!api) throw new Error('Every number has a person.');
            const [own] = (await api.get(`${base(id)}?mine=true`)).body;
            const path = `${base(id)}/${own?.id ?? id}` as const;
            if (what === 'write') await api.call('post', base(id), undefined, { rating });
            else if (what === 'change') await api.call('patch', path, undefined, { rating });
            else if (what === 'delete') await api.call('delete', path);
            else
              await chief.call('post', `${path}/${what}`, undefined, what === 'hide' ? { reason: 'So.' } : undefined);
          }),
        );
        const rows = (await chief.get(`${base(id)}?limit=100`)).body.filter(({ is_hidden }) => !is_hidden);
        const sum = rows.reduce((total, { rating }) => total + rating, 0);
        const mean = rows.length === 0 ? null : Math.round((sum * 10) / rows.length) / 10;
        expect(await ratingOf(id)).toEqual({ mean, count: rows.length });
      }),
      { numRuns: cases(20) },
    );
  });

  it('go with the account of their author; the listing then counts the others', async () => {
    const [one, other] = [await newListing(), await newListing()];
    const leaver = await newPerson();
    for (const id of [one, other]) await write(leaver, id, { rating: 1 });
    const hidden = await newListing();
    const { id: reviewId } = await write(leaver, hidden, { rating: 1 });
    await chief.post(`${base(hidden)}/${reviewId}/hide`, { reason: 'So.' }, 200);
    await write(cast.member, one, { rating: 4 });
    await leaver.delete('/v1/users/me');
    expect(await ratingOf(one)).toEqual({ mean: 4, count: 1 });
    expect(await ratingOf(other)).toEqual({ mean: null, count: 0 });
    expect(await ratingOf(hidden)).toEqual({ mean: null, count: 0 });
    for (const id of [other, hidden]) expect((await chief.get(base(id))).body).toEqual([]);
  });

  it('follow a server of the sample catalogue to the real listing of its name', async () => {
    const sample = await newListing();
    const name = `io.github.test/${unique('followed')}`;
    await test.dataSource.query(`UPDATE listings SET is_sample = true, name = $2 WHERE id = $1`, [sample, name]);
    for (const [api, rating] of [
      [cast.member, 2],
      [cast.outsider, 5],
    ] as const)
      await write(api, sample, { rating });
    const server = { name, description: 'The real one.', version: '1.0.0' };
    const created = await cast.owner.post('/v1/mcp/listings', { server, category: 'testing', visibility: 'PUBLIC' });
    await cast.owner.post(`/v1/mcp/listings/${created.body.id}/publish`, undefined, 200);
    expect(await ratingOf(created.body.id)).toEqual({ mean: 3.5, count: 2 });
    expect((await cast.member.get(`${base(created.body.id)}?mine=true`)).body).toMatchObject([{ rating: 2 }]);
  });
});

describe('Listings by rating', () => {
  const idsOf = (rows: readonly Pick<Listing, 'id'>[]) => rows.map(({ id }) => id);

  it('come with the best mean first, of equal ones that with more reviews, over all pages', async () => {
    const category = unique('category');
    const rated = async (...ratings: number[]) => {
      const id = await newListing({ category });
      for (const rating of ratings) await write(await newPerson(), id, { rating });
      return id;
    };
    const none = await rated();
    const few = await rated(4);
    const many = await rated(4, 4);
    const best = await rated(5, 4);
    const worst = await rated(1);
    const newest = await rated(4);
    const expected = [best, many, newest, few, worst, none];
    const path = `/v1/mcp/listings?sort=rating&category=${category}` as const;
    expect(idsOf((await cast.outsider.get(path)).body)).toEqual(expected);
    expect(idsOf(await allPages(cast.outsider, `${path}&limit=1`))).toEqual(expected);
    expect(idsOf(await allPages(cast.outsider, `${path}&limit=2&search=server&scope=visible`))).toEqual(expected);
  });
});
