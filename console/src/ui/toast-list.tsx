import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { t } from '../messages/text';
import { Button } from './button';
import styles from './popup.module.css';
import { listen, takeNotices } from './toasts';

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
  const { toasts, add } = Toast.useToastManager();
  useEffect(() => {
    const show = () => {
      for (const { title, tone } of takeNotices()) add({ title, type: tone });
    };
    show();
    return listen(show);
  }, [add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Title />
      <Toast.Close render={<Button icon="close" look="plain" aria-label={t.ui.close} />} />
    </Toast.Root>
  ));
}
