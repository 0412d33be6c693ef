import fc from 'fast-check';
import { definitionChanges } from '../../../../../src/gateway/rules/definition-changes';
import { formerOf } from './former-definition';

const definition = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 4 }), {
  maxKeys: 6,
  noNullPrototype: true,
});

describe('formerOf', () => {
  it('undoes what the API says has changed', () => {
    fc.assert(
      fc.property(definition, definition, (before, after) => {
        const changes = JSON.parse(JSON.stringify(definitionChanges(before, after))) as never;
        expect(JSON.parse(JSON.stringify(formerOf(after, changes)))).toEqual(JSON.parse(JSON.stringify(before)));
      }),
    );
  });

  it('says if the changes are those of another definition', () => {
    expect(formerOf({ a: 1 }, [{ pointer: '/b/c', before: 1, lines: null }])).toBeUndefined();
    expect(formerOf({ a: 1 }, [{ pointer: '/b', after: 1, lines: null }])).toBeUndefined();
  });
});
