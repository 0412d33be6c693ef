import { type Difference, differences } from '../../../ui/json-diff';

/** At most so many differences say in the list what an entry is about. */
const MAX_SHORT = 3;
const MAX_SHORT_TEXT = 60;

/** A difference as people read it: texts without quotation marks. */
export interface Change extends Omit<Difference, 'before' | 'after'> {
  before: string | undefined;
  after: string | undefined;
}

interface Images {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** @returns what an entry changed, field by field, also where its subject is new or gone */
export function changesOf({ before, after }: Images): Change[] {
  return differences(before ?? {}, after ?? {}).map((difference) => ({
    ...difference,
    before: plain(difference.before),
    after: plain(difference.after),
  }));
}

/** @returns the changes that are worth a look in a list: values that are short and not empty */
export function shortChanges(changes: readonly Change[]): Change[] {
  const isShort = (value: string | undefined) => value === undefined || value.length <= MAX_SHORT_TEXT;
  const isEmpty = ({ before, after }: Change) => [before, after].every((one) => one === undefined || one === 'null');
  return changes
    .filter((change) => !isEmpty(change) && isShort(change.before) && isShort(change.after))
    .slice(0, MAX_SHORT);
}

/** A text of JSON without its quotation marks, if nothing in it is escaped. */
function plain(json: string | undefined): string | undefined {
  return json === undefined ? undefined : (/^"([^"\\]+)"$/.exec(json)?.[1] ?? json);
}
