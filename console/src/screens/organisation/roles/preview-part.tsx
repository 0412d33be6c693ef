import type { SyncPreview } from '../../../api/schema';
import { number } from '../../../messages/text';
import { asProblem } from '../../../api/problem';
import { Quiet, Section } from '../../../ui/layout';
import { Problem, Skeleton } from '../../../ui/problem';
import { ChangeCounts } from './change-counts';
import { ChangeTable } from './change-table';
import { lostBy, totalOf } from './counts';
import { rolesWords } from './words';

const words = rolesWords.preview;

interface Props {
  /** Whether something was chosen that can be previewed. */
  isAsked: boolean;
  preview: { data: SyncPreview | undefined; error: unknown; refetch: () => unknown };
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

/** Who would be promoted, demoted or removed, before anything is saved. */
export function PreviewPart({ isAsked, preview, isConfirmed, onConfirm }: Props) {
  return (
    <Section title={words.title}>
      <div role="status">
        {!isAsked && <Quiet>{words.waiting}</Quiet>}
        {isAsked && preview.data === undefined && !preview.error && <Quiet>{words.computing}</Quiet>}
      </div>
      {isAsked && preview.data === undefined && !preview.error && <Skeleton lines={4} />}
      {isAsked && preview.error !== null && preview.error !== undefined && (
        <>
          {asProblem(preview.error).status === 429 && <p>{words.limited}</p>}
          <Problem error={preview.error} onRetry={() => void preview.refetch()} />
        </>
      )}
      {isAsked && preview.data && <Outcome preview={preview.data} isConfirmed={isConfirmed} onConfirm={onConfirm} />}
    </Section>
  );
}

interface OutcomeProps {
  preview: SyncPreview;
  isConfirmed: boolean;
  onConfirm: (isConfirmed: boolean) => void;
}

function Outcome({ preview, isConfirmed, onConfirm }: OutcomeProps) {
  const { changes, members, would_be_refused: isRefused, needs_confirmation: needsConfirmation } = preview;
  const total = totalOf(preview);
  return (
    <>
      <Quiet>
        {words.help} {words.of(number(preview.scanned), number(members))}
      </Quiet>
      <ChangeCounts counts={preview} />
      {total === 0 ? <p>{words.nothing}</p> : <ChangeTable label={words.changes} changes={changes} />}
      {total > changes.length && <Quiet>{words.first(number(changes.length), number(total))}</Quiet>}
      {isRefused && (
        <p role="alert">
          <strong>{words.refused}</strong>
        </p>
      )}
      {needsConfirmation && !isRefused && (
        <label>
          <input type="checkbox" checked={isConfirmed} onChange={(event) => onConfirm(event.target.checked)} />{' '}
          {words.confirm(number(lostBy(preview)), number(members))}
        </label>
      )}
    </>
  );
}
