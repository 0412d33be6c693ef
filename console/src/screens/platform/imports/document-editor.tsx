import { isObject } from '../../../../../src/http/requests/json-object';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useChange } from '../../../api/queries';
import type { QuarantinedDetail } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { QUARANTINE_CHANGES, useImported, useLeaveDocument } from './document-actions';
import { brokenAt, type PlacedFault, placedFaults } from './faults';
import styles from './imports.module.css';
import { importWords } from './words';

const words = importWords.editor;

/** Pixels; as the style sheet says. */
const LINE_HEIGHT = 24;
/** Lines above the one that is shown. */
const MARGIN = 4;

/** @returns the name of the draft of an edited document */
export const draftOf = (id: string): string => `quarantine.${id}`;

interface Props {
  document: QuarantinedDetail;
  /** As it came, formatted. */
  text: string;
  /** The line that is shown, each time that it is another object. */
  target: { line: number } | undefined;
  onClose: () => void;
}

/** Changes a document and imports it. What was typed is kept when it is closed. What is wrong with it is said with its place, by the same rules as of any import. */
export function DocumentEditor({ document, text: original, target, onClose }: Props) {
  const [text, keep, drop] = useDraft(draftOf(document.id), original);
  const [faults, setFaults] = useState<readonly PlacedFault[]>([]);
  const send = useChange('POST /v1/mcp/imports/quarantine/{document_id}/import', QUARANTINE_CHANGES);
  const field = useRef<HTMLTextAreaElement>(null);
  const leave = useLeaveDocument();
  const sayImported = useImported();
  const id = useId();

  const go = ({ from, to, line }: PlacedFault) => {
    const area = field.current;
    if (!area) return;
    area.focus();
    area.setSelectionRange(from, Math.min(to, from + 200));
    area.scrollTop = Math.max(0, (line - 1 - MARGIN) * LINE_HEIGHT);
  };
  useEffect(() => {
    const area = field.current;
    if (!area || !target) return;
    const before = area.value.split('\n').slice(0, target.line - 1);
    const start = before.reduce((length, line) => length + line.length + 1, 0);
    area.focus();
    area.setSelectionRange(start, start);
    area.scrollTop = Math.max(0, (target.line - 1 - MARGIN) * LINE_HEIGHT);
  }, [target]);
  const show = (found: readonly PlacedFault[]) => {
    flushSync(() => setFaults(found));
    if (found[0]) go(found[0]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (send.isPending) return;
    send.reset();
    const broken = brokenAt(text);
    if (broken) {
      show([{ ...broken, message: words.broken }]);
      return;
    }
    const server: unknown = JSON.parse(text);
    if (!isObject(server)) {
      show([{ message: words.notObject, line: 1, column: 1, from: 0, to: text.length }]);
      return;
    }
    setFaults([]);
    send.mutate(
      { path: { document_id: document.id }, body: { server } },
      {
        onSuccess: ({ listing_id: listingId }) => {
          drop();
          sayImported(shown(String(server['name'])), listingId);
          leave();
        },
        onError: (problem) => show(placedFaults(text, problem.faults)),
      },
    );
  };
  return (
    <Section title={words.title}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <div className={styles.editor}>
            <label htmlFor={id}>{words.label}</label>
            <Quiet>
              <span id={`${id}-hint`}>{words.hint}</span>
            </Quiet>
            <textarea
              ref={field}
              id={id}
              wrap="off"
              spellCheck={false}
              autoCapitalize="off"
              value={text}
              aria-describedby={`${id}-hint ${id}-faults`}
              aria-invalid={faults.length > 0 || undefined}
              onChange={(event) => keep(event.target.value)}
            />
          </div>
          <div id={`${id}-faults`} role="alert">
            {faults.length > 0 && (
              <div className={styles.problems}>
                <Stack gap="tight">
                  <strong>{words.faults(number(faults.length), faults.length === 1)}</strong>
                  <ul className={styles.faults}>
                    {faults.map((fault) => (
                      <li key={`${fault.from} ${fault.message}`}>
                        <Button onClick={() => go(fault)}>
                          {words.place(number(fault.line), number(fault.column))}
                        </Button>
                        <OtherText>{fault.message}</OtherText>
                      </li>
                    ))}
                  </ul>
                </Stack>
              </div>
            )}
          </div>
          {send.error && faults.length === 0 && <Problem error={send.error} />}
          <Row>
            <Button type="submit" look="primary" busy={send.isPending}>
              {words.import}
            </Button>
            {text !== original && (
              <Button
                onClick={() => {
                  drop();
                  setFaults([]);
                }}
              >
                {words.reset}
              </Button>
            )}
            <Button onClick={onClose}>{words.stop}</Button>
          </Row>
        </Stack>
      </form>
    </Section>
  );
}
