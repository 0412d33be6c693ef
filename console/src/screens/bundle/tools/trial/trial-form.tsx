import { type FormEvent, useRef, useState } from 'react';
import { useRead } from '../../../../api/queries';
import { asProblem } from '../../../../api/problem';
import type { Bundle } from '../../../../api/schema';
import { Button } from '../../../../ui/button';
import { Choice } from '../../../../ui/choice';
import { CopyBlock } from '../../../../ui/copy';
import { ConfirmDialog } from '../../../../ui/dialog';
import { TextArea } from '../../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../../ui/focus-first';
import { Quiet, Stack } from '../../../../ui/layout';
import { shown } from '../../../../ui/other-text';
import { Problem } from '../../../../ui/problem';
import { annotationOf } from '../../../../ui/tool-parameters';
import { shapeOfTool } from '../form-shape';
import type { Detail } from '../rule-tools';
import { faultText } from '../schema-form/fault-text';
import { SchemaForm } from '../schema-form/schema-form';
import styles from '../tools.module.css';
import { toolsWords } from '../words';
import { curlOfTrial } from './trial-command';
import { ToolAnswer } from './tool-answer';
import { useArguments } from './use-arguments';
import { useTrial } from './use-trial';

const words = toolsWords.try;

interface TrialFormProps {
  bundle: Bundle;
  detail: Detail;
  /** As clients get it. */
  definition: Record<string, unknown>;
  /** Who tries it; null if they have no name. */
  person: string | null;
}

/** Arguments of a tool, and what it answers. */
export function TrialForm({ bundle, detail, definition, person }: TrialFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [shape] = useState(() => shapeOfTool(definition['inputSchema']));
  const input = useArguments(`tool-try.${detail.id}.${detail.digest}`, shape);
  const [asking, setAsking] = useState<Record<string, unknown>>();
  const trial = useTrial(bundle.id, detail.id);
  const [isTouched, setTouched] = useState(false);
  const path = { bundle_id: bundle.id };
  // Only for those who begin to try it.
  const needs = useRead(
    'GET /v1/bundles/{bundle_id}/credential-needs',
    { path, query: { limit: 100 } },
    { enabled: isTouched },
  );
  const mode = needs.data?.find(({ entry_id }) => entry_id === detail.entry_id)?.credential_mode;
  const isReadOnly = annotationOf(definition, 'readOnlyHint') === true;
  const problem = trial.error ? asProblem(trial.error) : undefined;
  useFocusFirstInvalid(form, problem);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trial.isRunning) return;
    const values = input.read();
    // Once its errors are there.
    if (values === undefined) requestAnimationFrame(() => focusFirstInvalid(form.current));
    else if (isReadOnly) trial.run(values);
    else setAsking(values);
  };
  const hasFaults = (problem?.faults.length ?? 0) > 0;
  return (
    <Stack>
      <form ref={form} className={styles.form} onSubmit={submit} onFocus={() => setTouched(true)} noValidate>
        <Quiet>
          {words.runsAs(person === null ? words.you : shown(person))}{' '}
          {mode === undefined ? words.accountUnknown : words.accounts[mode]}
        </Quiet>
        {!isReadOnly && (
          <p className={styles.held}>
            {annotationOf(definition, 'destructiveHint') === false ? words.writes : words.destructive}
          </p>
        )}
        {shape.kind === 'object' && shape.members.length > 0 && (
          <Choice
            legend={words.view}
            value={input.view}
            onChange={input.show}
            options={[
              ['form', words.views.form],
              ['json', words.views.json],
            ]}
          />
        )}
        {input.cannotShow && (
          <p role="alert" className={styles.error}>
            {words.cannotShow}
          </p>
        )}
        {input.view === 'form' && shape.kind === 'object' ? (
          <>
            {shape.members.length === 0 && <Quiet>{words.noArguments}</Quiet>}
            <SchemaForm
              members={shape.members}
              typed={input.typed}
              onChange={input.type}
              path=""
              faults={input.faults}
              errorAt={(name) => problem?.at(`arguments.${name}`)}
            />
          </>
        ) : (
          <div className={styles.code}>
            <TextArea
              label={words.json}
              hint={words.jsonHint}
              value={input.json}
              onChange={({ target }) => input.typeJson(target.value)}
              error={input.jsonFault ? faultText(input.jsonFault) : undefined}
              spellCheck={false}
              required
            />
          </div>
        )}
        {problem?.at('arguments') !== undefined && <p className={styles.error}>{problem.at('arguments')}</p>}
        <div className={styles.foot}>
          <Button type="submit" look="primary" icon="play" busy={trial.isRunning}>
            {trial.isRunning ? words.running : words.run}
          </Button>
          {trial.isRunning && <Button onClick={trial.stop}>{words.stop}</Button>}
          {input.isDirty && !trial.isRunning && <Button onClick={input.clear}>{words.clear}</Button>}
        </div>
      </form>
      <div aria-live="polite">
        {trial.isStopped && <p>{words.stopped}</p>}
        {problem && !hasFaults && <Problem error={problem} />}
        {trial.answer && !trial.isRunning && (
          <ToolAnswer bundle={bundle} tool={detail} answer={trial.answer} tookMs={trial.tookMs} />
        )}
      </div>
      <details>
        <summary>{words.asCurl}</summary>
        <CopyBlock what={words.command} text={curlOfTrial(bundle.id, detail.id, input.safe())} />
        <Quiet>{words.curlHelp}</Quiet>
      </details>
      <ConfirmDialog
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={words.confirmTitle(shown(detail.name))}
        action={words.confirm}
        onConfirm={() => {
          if (asking) trial.run(asking);
          setAsking(undefined);
        }}
      >
        <p>{annotationOf(definition, 'destructiveHint') === false ? words.writes : words.destructive}</p>
        <p>{words.confirmHelp}</p>
      </ConfirmDialog>
    </Stack>
  );
}
