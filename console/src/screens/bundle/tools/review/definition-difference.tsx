import type { BundleToolChanges } from '../../../../api/schema';
import { Badge } from '../../../../ui/badge';
import { Quiet, Row, Stack, Unseen } from '../../../../ui/layout';
import { shown } from '../../../../ui/other-text';
import type { Difference } from '../../../../ui/json-diff';
import { compareDefinitions } from '../definition-comparison';
import { revealed } from '../revealed';
import { compareWords } from '../sequence-comparison';
import styles from '../tools.module.css';
import { toolsWords } from '../words';
import { PropertyChanges } from './property-changes';
import { SideBySide } from './side-by-side';

const words = toolsWords.difference;

interface DefinitionDifferenceProps {
  /** The definition before; undefined: there is none, or it is not known whole. */
  former: Record<string, unknown> | undefined;
  definition: Record<string, unknown>;
  changes: BundleToolChanges;
  isNew: boolean;
}

/** What differs between two definitions of a tool: in short by what it is, and whole beside each other. */
export function DefinitionDifference({ former, definition, changes, isNew }: DefinitionDifferenceProps) {
  const isUnknown = former === undefined && changes.before_digest !== null;
  const { texts, properties, rest } = compareDefinitions(former, definition);
  if (isUnknown) return <Listed changes={changes} definition={definition} />;
  const isSame = texts.length + properties.length + rest.length === 0;
  return (
    <Stack gap="wide">
      <Stack>
        <h3>{former === undefined || isNew ? words.offers : words.changed}</h3>
        {isSame && <p>{words.looksOnly}</p>}
        {texts.map(({ name, before, after }) => (
          <Stack key={name} gap="tight">
            <h4>{words.texts[name]}</h4>
            <Words before={before} after={after} />
          </Stack>
        ))}
        {properties.length > 0 && <PropertyChanges changes={properties} isFirst={former === undefined} />}
        {rest.length > 0 && (
          <Stack gap="tight">
            <h4>{words.rest}</h4>
            <ul>
              {rest.map((one) => (
                <li key={`${one.kind} ${one.path}`}>
                  <Rest difference={one} />
                </li>
              ))}
            </ul>
          </Stack>
        )}
      </Stack>
      <Stack gap="tight">
        <h3>{words.whole}</h3>
        <SideBySide before={former} after={definition} />
      </Stack>
    </Stack>
  );
}

/** Prose of others: what was taken out and put in, by words. */
const Words = ({ before, after }: { before: string; after: string }) => (
  <p className={styles.prose} dir="auto">
    {compareWords(revealed(before), revealed(after)).map(({ kind, text }, index) =>
      kind === 'same' ? (
        <span key={index}>{text}</span>
      ) : kind === 'removed' ? (
        <del key={index} className={styles.removed}>
          <Unseen>{words.removedText} </Unseen>
          <span aria-hidden="true">−</span>
          {text}
        </del>
      ) : (
        <ins key={index} className={styles.added}>
          <Unseen>{words.addedText} </Unseen>
          <span aria-hidden="true">+</span>
          {text}
        </ins>
      ),
    )}
  </p>
);

const Rest = ({ difference: { path, kind, before, after } }: { difference: Difference }) => (
  <Row>
    <Badge icon={SIGNS[kind]}>{words.kinds[kind]}</Badge>
    <code>{shown(path)}</code>
    {before !== undefined && (
      <del className={styles.removed}>
        <Unseen>{words.removedText} </Unseen>
        <code>{before}</code>
      </del>
    )}
    {after !== undefined && (
      <ins className={styles.added}>
        <Unseen>{words.addedText} </Unseen>
        <code>{after}</code>
      </ins>
    )}
  </Row>
);

const SIGNS = { added: 'plus', removed: 'close', changed: 'refresh' } as const;

/** Where more has changed than the API compares, or the former definition is not kept any more. */
const Listed = ({ changes, definition }: Pick<DefinitionDifferenceProps, 'changes' | 'definition'>) => (
  <Stack>
    <h3>{words.changed}</h3>
    <Quiet>{words.only(changes.changes.length, changes.change_count)}</Quiet>
    <ul>
      {changes.changes.map((one) => (
        <li key={one.pointer}>
          <code>{shown(one.pointer)}</code>
          <pre className={styles.text} tabIndex={0} aria-label={shown(one.pointer)}>
            {one.lines?.join('\n') ?? `- ${JSON.stringify(one.before)}\n+ ${JSON.stringify(one.after)}`}
          </pre>
        </li>
      ))}
    </ul>
    <h3>{words.whole}</h3>
    <SideBySide before={undefined} after={definition} />
  </Stack>
);
