import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { t } from '../messages/text';
import { Button } from './button';
import styles from './popup.module.css';
import { listen, takeNotices } from './toasts';

const WITH_ACTION_MS = 15_000;

export default function ToastList() {
  return (
    <Toast.Provider>
      <Toast.Portal>
        <Toast.Viewport className={styles.toasts}>
          <Notices />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Notices() {
  const { toasts, add, close } = Toast.useToastManager();
  useEffect(() => {
    const show = () => {
      for (const { title, tone, action } of takeNotices())
        add({
          title,
          type: tone,
          // Who reads slowly, or comes by keyboard, has time to take it back.
          ...(action && {
            timeout: WITH_ACTION_MS,
            actionProps: { children: action.label, onClick: action.onPress },
          }),
        });
    };
    show();
    return listen(show);
  }, [add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title />
      {toast.actionProps && <Toast.Action render={<Button />} onClick={() => close(toast.id)} />}
      <Toast.Close render={<Button icon="close" look="plain" aria-label={t.ui.close} />} />
    </Toast.Root>
  ));
}
