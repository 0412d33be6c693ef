import { defineConfig } from 'vite';

/** `npm run build` calls it by `.scripts/build-console.mjs`, which also compresses what comes out. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  // Packages that look for it choose their production code.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // Which file needs which, for the test of the budgets.
    manifest: true,
    assetsDir: 'files',
    // Nothing is inlined: the policy allows no `data:` but in pictures, and a file is cached for good.
    assetsInlineLimit: 0,
    // The files of a screen are in the cache as long as its release is served.
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
    rolldownOptions: {
      // `'use client'` means nothing here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//, entriesAware: false },
          ],
        },
      },
    },
  },
});
