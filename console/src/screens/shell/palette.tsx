import { t } from '../../messages/text';
import { Dialog } from '../../ui/dialog';

/** Commands, screens, servers and bundles by their names. */
export default function Palette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t.shell.palette.title}>
      {t.shell.palette.noHit}
    </Dialog>
  );
}
