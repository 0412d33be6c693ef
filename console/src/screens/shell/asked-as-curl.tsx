import { asked } from '../../api/client';
import { t } from '../../messages/text';
import { CopyBlock } from '../../ui/copy';
import { Dialog } from '../../ui/dialog';
import { Empty } from '../../ui/problem';
import { curlOf } from '../../ui/shell-words';

/** The last calls of this page as a script would make them. */
export default function AskedAsCurl({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={t.shell.curlTitle} wide>
      <p>{t.shell.curlHelp}</p>
      {asked.length === 0 && <Empty>{t.shell.noCalls}</Empty>}
      {asked.map(({ name, url, body }, index) => (
        <CopyBlock key={index} what={name} text={curlOf(name.split(' ')[0] ?? 'GET', url, body)} />
      ))}
    </Dialog>
  );
}
