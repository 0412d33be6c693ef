import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { addressOf } from '../../../api/client';
import type { Bundle, BundleTool } from '../../../api/schema';
import { Button, buttonClass } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { CopyBlock } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { useDraft } from '../../../ui/draft';
import { TextArea } from '../../../ui/field';
import { focusFirstInvalid } from '../../../ui/focus-first';
import layout from '../../../ui/layout.module.css';
import { Quiet, Row } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Problem } from '../../../ui/problem';
import { curlOf } from '../../../ui/shell-words';
import { ArgumentInput } from './argument-input';
import { argumentsOf, keyOf, objectIn, type Typed, typedOf } from './arguments';
import { fieldsOf } from './schema-fields';
import { ToolAnswer } from './tool-answer';
import styles from './try-tool.module.css';
import { useTrial } from './use-trial';
import { tryWords } from './words';

interface TryFormProps {
  bundle: Bundle;
  tool: BundleTool;
  /** As clients see it. */
  definition: Readonly<Record<string, unknown>>;
}

interface Draft {
  texts: Typed;
  /** The arguments as JSON, where somebody prefers that. */
  json?: string;
}

const EMPTY: Draft = { texts: {} };
const VIEWS = ['form', 'json'] as const;

/** The arguments of a tool, and what it answers. What was typed is kept in this tab, but for secrets. */
export function TryForm({ bundle, tool, definition }: TryFormProps) {
  const fields = fieldsOf(definition['inputSchema']);
  const [draft, setDraft] = useDraft<Draft>(`try.${tool.id}`, EMPTY);
  const [secrets, setSecrets] = useState<Typed>({});
  const [isSent, setSent] = useState(false);
  const [isLost, setLost] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const trial = useTrial(bundle.id, tool.id);
  const texts = { ...draft.texts, ...secrets };
  const view = draft.json !== undefined || fields === undefined ? 'json' : 'form';
  const read = argumentsOf(fields ?? [], texts);
  const values = view === 'json' ? objectIn(draft.json ?? '') : read.values;
  const isComplete = view === 'json' ? values !== undefined : read.faults.size === 0;
  const hints = hintsOf(definition);

  const change = (key: string, isSecret: boolean, text: string) => {
    if (isSecret) setSecrets({ ...secrets, [key]: text });
    else setDraft({ ...draft, texts: { ...draft.texts, [key]: text } });
  };
  const show = (next: (typeof VIEWS)[number]) => {
    if (next === 'json') return setDraft({ ...draft, json: JSON.stringify(read.values, null, 2) });
    const typed = values && typedOf(fields ?? [], values);
    setLost(typed === undefined);
    if (typed) setDraft({ texts: typed });
  };
  const run = () => {
    setConfirming(false);
    trial.run(values ?? {});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (!isComplete) requestAnimationFrame(() => focusFirstInvalid(form.current));
    else if (hints.destroys) setConfirming(true);
    else run();
  };
  return (
    <>
      <Quiet>{tryWords.help}</Quiet>
      {!hints.onlyReads && <p>{hints.destroys ? tryWords.destroys : tryWords.changes}</p>}
      <form ref={form} className={layout.stack} onSubmit={submit} noValidate>
        {fields === undefined ? (
          <p>{tryWords.jsonOnly}</p>
        ) : (
          fields.length > 0 && (
            <Choice
              legend={tryWords.view}
              value={view}
              onChange={show}
              options={VIEWS.map((one) => [one, tryWords.views[one]] as const)}
            />
          )
        )}
        {view === 'json' ? (
          <TextArea
            label={tryWords.jsonLabel}
            value={draft.json ?? ''}
            rows={8}
            spellCheck={false}
            required
            error={isSent && values === undefined ? tryWords.jsonFault : undefined}
            hint={isLost ? tryWords.jsonLost : undefined}
            onChange={(event) => setDraft({ ...draft, json: event.target.value })}
          />
        ) : (
          <div className={styles.fields}>
            {fields?.map((field) => {
              const key = keyOf(field);
              return (
                <ArgumentInput
                  key={key}
                  field={field}
                  text={texts[key] ?? field.proposed}
                  fault={isSent ? read.faults.get(key) : undefined}
                  onChange={(text) => change(key, field.kind === 'secret', text)}
                />
              );
            })}
            {fields?.length === 0 && <Quiet>{tryWords.nothing}</Quiet>}
          </div>
        )}
        <Row>
          <Button type="submit" look="primary" icon="play" busy={trial.isPending}>
            {tryWords.run}
          </Button>
          {trial.isPending && <Button onClick={trial.cancel}>{tryWords.cancel}</Button>}
        </Row>
      </form>
      <div role="status">
        {trial.isCancelled && <p>{tryWords.cancelled}</p>}
        {trial.data && <ToolAnswer bundleId={bundle.id} {...trial.data} />}
      </div>
      {trial.error && (
        <>
          <Problem error={trial.error} />
          {trial.error.status === 409 && (
            <Link
              to="/bundles/$bundleId"
              params={{ bundleId: bundle.id }}
              search={{ tab: 'endpoint' }}
              className={buttonClass()}
            >
              {tryWords.offNext}
            </Link>
          )}
        </>
      )}
      {isComplete && (
        <details className={styles.details}>
          <summary>{tryWords.curl}</summary>
          <CopyBlock
            what={tryWords.curl}
            text={curl(
              bundle.id,
              tool.id,
              argumentsOf(fields ?? [], draft.texts).values,
              view === 'json' ? values : undefined,
            )}
          />
        </details>
      )}
      {isConfirming && (
        <Dialog open onClose={() => setConfirming(false)} title={tryWords.confirmTitle(shown(tool.name))}>
          <p>{tryWords.confirmHelp}</p>
          <Row>
            <Button look="danger" onClick={run}>
              {tryWords.run}
            </Button>
            <Button onClick={() => setConfirming(false)}>{tryWords.cancel}</Button>
          </Row>
        </Dialog>
      )}
    </>
  );
}

/** As a command; secrets of the form are left out of it. */
function curl(bundleId: string, toolId: string, typed: object, json: object | undefined): string {
  const path = { bundle_id: bundleId, tool_id: toolId };
  const body = { arguments: json ?? typed };
  const { method, url } = addressOf('POST /v1/bundles/{bundle_id}/tools/{tool_id}/call', { path, body: {} });
  return curlOf(method, url, body);
}

function hintsOf(definition: Readonly<Record<string, unknown>>): { onlyReads: boolean; destroys: boolean } {
  const { annotations } = definition;
  const hints: Readonly<Record<string, unknown>> =
    typeof annotations === 'object' && annotations !== null ? { ...annotations } : {};
  const onlyReads = hints['readOnlyHint'] === true;
  return { onlyReads, destroys: !onlyReads && hints['destructiveHint'] === true };
}
