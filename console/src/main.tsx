import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries';
import { router } from './router';
import { applyTheme, chosenTheme } from './screens/shell/theme';
import './ui/base.css';
import { Toasts } from './ui/toasts';

applyTheme(chosenTheme());

const root = document.getElementById('console');
if (!root) throw new Error('The page has no element for the console.');
createRoot(root).render(
  <StrictMode>
    {/* The policy of this page refuses style elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
