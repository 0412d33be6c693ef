import type { User } from '../../../api/schema';
import { CloseDialog } from './close-dialog';
import { DeleteDialog } from './delete-dialog';
import { LinkDialog } from './link-dialog';
import { ReopenDialog } from './reopen-dialog';

/** What can be done with an account, as it is in the address. */
export const DEEDS = ['close', 'reopen', 'link', 'delete'] as const;
export type Deed = (typeof DEEDS)[number];

export interface AccountDialogProps {
  user: User;
  onClose: () => void;
}

const DIALOGS = { close: CloseDialog, reopen: ReopenDialog, link: LinkDialog, delete: DeleteDialog };

/** Says what follows from something, and does it. */
export function AccountDialog({ deed, ...props }: AccountDialogProps & { deed: Deed }) {
  const Chosen = DIALOGS[deed];
  return <Chosen {...props} />;
}
