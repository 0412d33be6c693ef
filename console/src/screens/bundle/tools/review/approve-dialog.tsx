import { useMutation } from '@tanstack/react-query';
import { asProblem } from '../../../../api/problem';
import type { Bundle, BundleTool } from '../../../../api/schema';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { Row } from '../../../../ui/layout';
import { OtherText, shown } from '../../../../ui/other-text';
import { Problem } from '../../../../ui/problem';
import { notify } from '../../../../ui/toasts';
import { t } from '../../../../messages/text';
import bundleStyles from '../../bundle.module.css';
import { bundleWords } from '../../words';
import { approveTools, readToolsAgain } from '../rule-tools';
import styles from '../tools.module.css';
import { toolsWords } from '../words';

const words = toolsWords.review;

interface ApproveDialogProps {
  bundle: Bundle;
  tools: readonly BundleTool[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Approves several definitions after they were listed. */
export function ApproveDialog({ bundle, tools, open, onClose, onDone }: ApproveDialogProps) {
  const approve = useMutation({
    mutationFn: () => approveTools(bundle.id, tools),
    onSuccess: (count) => {
      notify(words.approvedMany(count));
      onClose();
      onDone();
    },
    // None was approved: what is listed now is read.
    onError: (error) => {
      if (asProblem(error).status === 409) void readToolsAgain();
    },
  });
  const found = tools.filter(({ findings }) => findings.length > 0).length;
  return (
    <Dialog open={open} onClose={onClose} title={words.allTitle(tools.length)} wide>
      <p>{words.allHelp}</p>
      {found > 0 && <p className={styles.held}>{words.allFindings(found)}</p>}
      <ul className={bundleStyles.plainList} tabIndex={0} aria-label={words.allList}>
        {tools.map((tool) => (
          <li key={tool.id}>
            <code>{shown(tool.name)}</code> · <OtherText>{tool.entry_key}</OtherText> ·{' '}
            {bundleWords.tool.states[tool.state]}
            {tool.findings.map(({ code }) => (
              <span key={code}> · {bundleWords.tool.findings[code]}</span>
            ))}
          </li>
        ))}
      </ul>
      {approve.error && (
        <>
          {asProblem(approve.error).status === 409 && <p role="alert">{words.allMeanwhile}</p>}
          <Problem error={approve.error} />
        </>
      )}
      <Row>
        <Button look="primary" icon="check" busy={approve.isPending} onClick={() => approve.mutate()}>
          {words.allAction(tools.length)}
        </Button>
        <Button onClick={onClose}>{t.ui.cancel}</Button>
      </Row>
    </Dialog>
  );
}
