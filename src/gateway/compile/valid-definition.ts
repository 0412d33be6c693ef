import { withVisibleCharacters } from '../rules/definition-findings';
import type { ToolOverride } from '../rules/tool-override';
import type { RuledDefinition } from '../rules/tool-rules';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { mendDefinition } from '../protocol/definition-mending';
import { edited, editedText } from '../protocol/json-edits';
import { legacyEdits } from '../protocol/legacy-definition';
import type { DefinitionKind } from '../protocol/definition-list';
import type { Problem, ReachableEntry } from './compiled-bundle';

/** What is wrong with one definition. */
type Fault = Pick<Problem, 'code' | 'detail'>;

const TASK = 'It runs as a task only, and tasks do not pass through an endpoint.';
/** Everything that is shown as nothing or as a blank (U+2800 is a symbol), ends a line, or changes the direction of what follows. */
const UNCLEAR = /[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]/u;

/**
 * A definition as clients may get it: valid for the schema of their revision.
 *
 * @param shown as its server and the rules of the bundle have it
 * @param note receives what is wrong
 * @returns undefined if it cannot be offered
 */
export function validDefinition(
  kind: DefinitionKind,
  shown: JsonObject,
  note: (fault: Fault) => void,
): JsonObject | undefined {
  const { execution } = shown;
  const isTask = kind === 'tool' && isObject(execution) && execution.taskSupport === 'required';
  const mended = isTask ? { leftOut: TASK } : mendDefinition(kind, shown);
  if ('leftOut' in mended) {
    note({ code: 'left_out', detail: mended.leftOut });
    return undefined;
  }
  if (mended.fault !== undefined)
    note({ code: 'definition_mended', detail: withVisibleCharacters(`Clients could not read it: ${mended.fault}`) });
  return edited(shown, mended.edits);
}

/**
 * @param name that a server gives a tool or a prompt
 * @returns why clients cannot get it as it is; undefined: they can
 */
export function unclearName(name: string): Fault | undefined {
  if (!UNCLEAR.test(name)) return undefined;
  const detail = `Its name "${withVisibleCharacters(name).replace(/[\n\r\t]/g, ' ')}" is refused, because it has blanks, line breaks or characters that cannot be seen: people would take it for another one. It is offered by its longer name.`;
  return { code: 'name_not_possible', detail };
}

/**
 * @param text of a tool as clients of the modern era get it
 * @param tool what it says
 * @returns the definition for clients of the legacy era, as JSON; undefined: it is the same
 */
export function legacyTextOf(text: string, tool: JsonObject): string | undefined {
  const edits = legacyEdits(tool);
  return edits.length === 0 ? undefined : editedText(Buffer.from(text), edits);
}

/** What rules do to a definition that its editors should know of. */
export function problemOfRules({ state }: RuledDefinition): Fault | undefined {
  switch (state) {
    case 'changed':
      return {
        code: 'definition_changed',
        detail:
          'Its definition has changed: it stays in the list as it was approved, and calls fail until the new one is approved.',
      };
    case 'lost':
      return {
        code: 'definition_changed',
        detail:
          'Its definition has changed, and the approved one is no longer known: it is hidden until the new one is approved.',
      };
    case 'new':
      return { code: 'not_approved', detail: 'It is new, and hidden until it is approved.' };
    default:
      return undefined;
  }
}

/** An override gives it a name that the bundle cannot have now. */
export function tooLong({ id }: ReachableEntry, name: string, { exposedName: wanted }: ToolOverride): Problem {
  const detail = `Its name ${wanted} is longer than names may be here, so it has its usual one.`;
  return { code: 'name_not_possible', entryId: id, subject: name, detail };
}
