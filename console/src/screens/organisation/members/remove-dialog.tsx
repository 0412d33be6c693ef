import { useChange } from '../../../api/queries';
import type { ListedMember } from '../../../api/schema';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { MEMBER_READS } from './member-reads';
import { nameOf } from './reason-words';
import { membersWords } from './words';

const words = membersWords.removing;

interface Props {
  orgId: string;
  member: ListedMember;
  onClose: () => void;
}

/** Takes the manual role away, and says before whether the person stays by the directory. */
export function RemoveDialog({ orgId, member, onClose }: Props) {
  const remove = useChange('DELETE /v1/organisations/{org_id}/members/{user_id}', MEMBER_READS);
  const title = words.title(nameOf(member));
  if (member.manual_role === null) {
    return (
      <Dialog open onClose={onClose} title={title}>
        <p>{words.byDirectory}</p>
      </Dialog>
    );
  }
  const stays = member.scim_role;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={stays === null ? words.action : words.actionStays}
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { path: { org_id: orgId, user_id: member.user_id } },
          {
            onSuccess: () => {
              notify(stays === null ? words.done : words.doneStays);
              onClose();
            },
          },
        )
      }
    >
      <p>{stays === null ? words.ends : words.stays(membersWords.roles[stays])}</p>
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
