import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../../api/queries';
import { ConfirmDialog } from '../../../ui/dialog';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { membersWords } from './words';

const words = membersWords.leaving;
/** The list of the members is not asked again: it is not theirs any more. */
const READS = ['GET /v1/users/me'] as const;

interface Props {
  orgId: string;
  /** Of the organisation. */
  name: string;
  userId: string;
  onClose: () => void;
}

/** Ends the own membership. */
export function LeaveDialog({ orgId, name, userId, onClose }: Props) {
  const navigate = useNavigate();
  const leave = useChange('DELETE /v1/organisations/{org_id}/members/{user_id}', READS);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.title(name)}
      action={words.action}
      busy={leave.isPending}
      onConfirm={() =>
        leave.mutate(
          { path: { org_id: orgId, user_id: userId } },
          {
            onSuccess: () => {
              notify(words.done);
              void navigate({ to: '/' });
            },
          },
        )
      }
    >
      <p>{words.follows}</p>
      <p>{words.directory}</p>
      {leave.error && <Problem error={leave.error} />}
    </ConfirmDialog>
  );
}
