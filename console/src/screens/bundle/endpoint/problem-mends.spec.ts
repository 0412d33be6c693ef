import { readFileSync } from 'node:fs';
import type { EndpointProblem } from '../../../api/schema';
import { endpointProblems } from '../../../messages/en/bundle-endpoint-problems';
import { isUnderWay, PROBLEMS, worstFirst } from './problem-mends';

const problem = (code: EndpointProblem['code'], subject: string): EndpointProblem => ({
  code,
  entry_id: 'e1',
  other_entry_id: null,
  subject,
  detail: '',
});

describe('Problems of an endpoint', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    components: { schemas: { EndpointProblemCode: { enum: string[] } } };
  };
  const codes = [...document.components.schemas.EndpointProblemCode.enum].sort();

  it('have words for each code of the document, and for no other', () => {
    expect(Object.keys(endpointProblems).sort()).toEqual(codes);
  });

  it('have a mend for each code of the document', () => {
    expect(Object.keys(PROBLEMS).sort()).toEqual(codes);
  });

  it('say in one sentence each what is wrong and what to do', () => {
    for (const { wrong, mend } of Object.values(endpointProblems)) {
      expect(wrong).toMatch(/^[A-Z].*\.$/);
      expect(mend).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('are in the order of how bad they are, and else as they came', () => {
    const list = [problem('name_clash', 'a'), problem('list_failed', 'b'), problem('not_approved', 'c')];
    expect(worstFirst([...list, problem('no_remote', 'd')]).map(({ subject }) => subject)).toEqual([
      'b',
      'd',
      'c',
      'a',
    ]);
  });
});

describe('isUnderWay', () => {
  it.each([
    ['WAITING', null, true],
    ['WAITING', 'CONNECTED', true],
    ['WAITING', 'MISSING', false],
    ['FAILING', null, false],
    ['READY', 'CONNECTED', false],
  ] as const)('%s with an account %s: %s', (state, credential_state, expected) => {
    expect(isUnderWay([{ state, credential_state }])).toBe(expected);
  });
});
