import { type FormEvent, useRef, useState } from 'react';
import type { ApiProblem } from '../../../api/problem';
import type { DeploymentKind, DeploymentStatus } from '../../../api/schema';
import { t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { SelectInput, TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import { Quiet, Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import styles from '../bundle.module.css';
import { oneOf } from '../one-of';
import { type DeploymentDraft, isVersion } from './deployment-changes';
import { deploymentsWords } from './words';

const words = deploymentsWords.form;

const KINDS = ['ENDPOINT', 'EXTERNAL'] as const satisfies DeploymentKind[];
const STATUSES = ['PENDING', 'DEPLOYING', 'RUNNING', 'FAILED', 'STOPPED'] as const satisfies DeploymentStatus[];
const FIELDS = ['name', 'environment', 'bundle_version', 'status', 'url', 'kind'];

interface DeploymentFormProps {
  draft: DeploymentDraft;
  onDraft: (draft: DeploymentDraft) => void;
  /** The latest version of the bundle. */
  latest: number;
  /** Whether it is being added: only then its kind is chosen, and its version may be left out. */
  isNew?: boolean;
  busy: boolean;
  problem: ApiProblem | null;
  onSubmit: () => void;
  onCancel: () => void;
}

/** What a deployment is called, where it runs, and which version. */
export function DeploymentForm(props: DeploymentFormProps) {
  const { draft, onDraft, latest, isNew = false, busy, problem, onSubmit, onCancel } = props;
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusFirstInvalid(form, problem);
  const isValid = isVersion(draft.version, latest, isNew);
  const isGone = problem?.code === 'bundle_version_not_found';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (busy) return;
    if (isValid) onSubmit();
    // The field has its error after the next rendering.
    else requestAnimationFrame(() => focusFirstInvalid(form.current));
  };
  const versionError = (isChecked && !isValid) || isGone ? words.outOfRange(latest) : problem?.at('bundle_version');
  return (
    <form ref={form} onSubmit={submit} className={styles.figures}>
      {isNew && (
        <>
          <Choice
            legend={words.kind}
            value={draft.kind}
            onChange={(kind) => onDraft({ ...draft, kind })}
            options={KINDS.map((kind) => [kind, deploymentsWords.kinds[kind]] as const)}
          />
          <Quiet>{deploymentsWords.kindHelp[draft.kind]}</Quiet>
        </>
      )}
      <TextInput
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
        error={problem?.at('name')}
        maxLength={200}
        required
      />
      <TextInput
        label={words.environment}
        hint={words.environmentHint}
        value={draft.environment}
        onChange={(event) => onDraft({ ...draft, environment: event.target.value })}
        error={problem?.at('environment')}
        maxLength={60}
        required
      />
      <TextInput
        label={words.version}
        hint={isNew ? words.versionHint(latest) : words.versionHintOfOne(latest)}
        inputMode="numeric"
        value={draft.version}
        onChange={(event) => onDraft({ ...draft, version: event.target.value })}
        error={versionError}
        required={!isNew}
      />
      {draft.kind === 'EXTERNAL' && (
        <>
          <SelectInput
            label={words.status}
            value={draft.status}
            onChange={(event) => onDraft({ ...draft, status: oneOf(STATUSES, event.target.value) })}
            error={problem?.at('status')}
            options={STATUSES.map((status) => [status, deploymentsWords.statuses[status]] as const)}
          />
          <TextInput
            label={words.url}
            hint={words.urlHint}
            inputMode="url"
            value={draft.url}
            onChange={(event) => onDraft({ ...draft, url: event.target.value })}
            error={problem?.at('url')}
            maxLength={2048}
          />
        </>
      )}
      {problem && !isGone && !FIELDS.some((field) => problem.at(field)) && <Problem error={problem} />}
      <Row>
        <Button type="submit" look="primary" busy={busy}>
          {isNew ? words.addSubmit : words.changeSubmit}
        </Button>
        <Button onClick={onCancel}>{t.ui.cancel}</Button>
      </Row>
    </form>
  );
}
