import { Dialog } from '../../ui/dialog';
import { shown } from '../../ui/other-text';
import { t } from '../../messages/text';

interface AskDialogProps {
  open: boolean;
  onClose: () => void;
  /** What is asked for; without it, `name` or what the person types. */
  listing?: { id: string; title: string };
  name?: string;
}

/** Asks an organisation for a server. */
export function AskDialog({ open, onClose, listing, name }: AskDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={t.requests.title}>
      {shown(listing?.title ?? name)}
    </Dialog>
  );
}
