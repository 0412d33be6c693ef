import { changesOf, type EndpointValues, isOfOrganisations, NEW_ENDPOINT, newHeaders, rateOf } from './endpoint-values';

const header = (name: string, value: string, isStored = false) => ({ key: 0, name, value, isStored });
const BEFORE: EndpointValues = {
  url: 'https://hooks.example.com/in',
  description: 'Pagers',
  types: ['bundle.created', 'bundle.deleted'],
  headers: [header('Authorization', '', true)],
  rate: '5',
};

describe('The values of an endpoint', () => {
  it('that are as they were change nothing', () => {
    expect(changesOf(BEFORE, { ...BEFORE, types: ['bundle.deleted', 'bundle.created'] })).toBeUndefined();
  });

  it('are sent if they were changed, with headers that keep their values', () => {
    const headers = [...BEFORE.headers, header(' X-Team ', 'pagers'), header('', '')];
    expect(changesOf(BEFORE, { ...BEFORE, headers, rate: '' })).toEqual({
      headers: { Authorization: null, 'X-Team': 'pagers' },
      rate_limit_per_second: 0,
    });
    expect(changesOf(BEFORE, { ...BEFORE, headers: [] })).toEqual({ headers: {} });
    expect(changesOf(BEFORE, { ...BEFORE, headers: [header('Authorization', 'new', true)] })).toEqual({
      headers: { Authorization: 'new' },
    });
    expect(changesOf(BEFORE, { ...BEFORE, description: '', url: ' https://new.example.com ' })).toEqual({
      description: '',
      target_url: 'https://new.example.com',
    });
  });

  it.each([
    ['', 0],
    [' 7 ', 7],
    ['1000', 1000],
    ['1001', undefined],
    ['0', undefined],
    ['1.5', undefined],
    ['many', undefined],
  ])('have a limit of %j as %j', (text, rate) => expect(rateOf(text)).toBe(rate));

  it('of a new one have headers with names', () => {
    expect(newHeaders([header('A', '1'), header('', '')])).toEqual({ A: '1' });
    expect(newHeaders(NEW_ENDPOINT.headers)).toEqual({});
  });

  it('leave out events about accounts', () => {
    expect(['bundle.created', 'session.started', 'accounting.done'].filter(isOfOrganisations)).toEqual([
      'bundle.created',
      'accounting.done',
    ]);
  });
});
