import { type FormEvent, type ReactNode, useState } from 'react';
import type { ApiProblem } from '../../../api/problem';
import type { SyncProposal } from '../../../api/schema';
import { Button } from '../../../ui/button';
import layout from '../../../ui/layout.module.css';
import { Quiet, Row } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { PreviewPart } from './preview-part';
import { usePreview } from './use-preview';
import { rolesWords } from './words';

interface Props {
  orgId: string;
  /** What would be saved; undefined as long as nothing was chosen or changed. */
  proposal: SyncProposal | undefined;
  action: string;
  look?: 'primary' | 'danger';
  busy: boolean;
  error: ApiProblem | null;
  /** @param confirm whether the person has confirmed that many members lose something */
  onSave: (confirm: boolean) => void;
  /** Beside the button that saves. */
  aside?: ReactNode;
  /** The fields. */
  children?: ReactNode;
}

/** A form whose button works when the person has seen who gets another role. */
export function PreviewedForm({
  orgId,
  proposal,
  action,
  look = 'primary',
  busy,
  error,
  onSave,
  aside,
  children,
}: Props) {
  const preview = usePreview(orgId, proposal);
  const [confirmed, setConfirmed] = useState<string>();
  const text = JSON.stringify(proposal);
  // What was confirmed is this proposal, and no other.
  const isConfirmed = confirmed !== undefined && confirmed === text;
  const { data } = preview;
  const isAllowed = data !== undefined && !data.would_be_refused && (!data.needs_confirmation || isConfirmed);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isAllowed && !busy) onSave(isConfirmed);
  };
  return (
    <form className={layout.stack} onSubmit={save}>
      {children}
      <PreviewPart
        isAsked={proposal !== undefined}
        preview={preview}
        isConfirmed={isConfirmed}
        onConfirm={(next) => setConfirmed(next ? text : undefined)}
      />
      {error && <Problem error={error} />}
      <Row>
        <Button type="submit" look={look} busy={busy} disabled={!isAllowed}>
          {action}
        </Button>
        {aside}
        {data?.needs_confirmation && !isConfirmed && !data.would_be_refused && (
          <Quiet>{rolesWords.preview.confirmFirst}</Quiet>
        )}
      </Row>
    </form>
  );
}
