/** The window's colours (styles/tokens.css), light and dark by the reader's system, light on paper. */
const light = `
    --ground: #ffffff; --panel: #f5f6f7; --line: #dcdfe3; --line-strong: #8b929b;
    --ink: #1d2125; --quiet: #5a626b; --error: #a8231b; --error-soft: #fcecea; --grid: #e4e7ea;`
const dark = `
    --ground: #17191c; --panel: #1e2124; --line: #33373c; --line-strong: #767d87;
    --ink: #e7e9ec; --quiet: #a3abb4; --error: #ff9d92; --error-soft: #3a1f1d; --grid: #2c3035;`

export const reportStyle = `
  :root { color-scheme: light dark;${light}
  }
  @media (prefers-color-scheme: dark) { :root {${dark}
  } }
  * { box-sizing: border-box; }
  body {
    margin: 0 auto; padding: 32px 24px 64px; max-width: 1280px; background: var(--ground); color: var(--ink);
    font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif;
  }
  h1 { margin: 0 0 4px; font-size: 26px; line-height: 1.2; font-weight: 600; overflow-wrap: anywhere; }
  h2 { margin: 48px 0 12px; font-size: 18px; font-weight: 600; overflow-wrap: anywhere; }
  p { margin: 4px 0; max-width: 80ch; }
  .quiet, .machine, .notes { color: var(--quiet); }
  .machine, .notes { margin: 8px 0 0; padding: 0; font-size: 12px; max-width: none; list-style: none; }
  .facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 0 40px; margin-top: 24px; }
  .facts h2 { margin: 0 0 8px; font-size: 14px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0 0 24px; font-size: 13px; }
  dt { color: var(--quiet); }
  dd { margin: 0; overflow-wrap: anywhere; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
  th { text-align: left; font-weight: 600; vertical-align: bottom; border-bottom: 1px solid var(--line-strong); }
  th, td { padding: 4px 16px 4px 0; }
  th:last-child, td:last-child { padding-right: 0; }
  td { vertical-align: top; border-bottom: 1px solid var(--line); white-space: nowrap; }
  td.words { white-space: normal; min-width: 18ch; }
  th .unit { display: block; font-weight: 400; color: var(--quiet); }
  .number { text-align: right; }
  .best { font-weight: 700; }
  .range { display: block; font-size: 0.85em; font-weight: 400; color: var(--quiet); }
  .refused { color: var(--error); }
  .refused s { text-decoration-thickness: 1px; }
  .refused .state { display: block; font-size: 0.85em; }
  figure { margin: 16px 0 24px; }
  figure img, figure svg { display: block; max-width: 100%; height: auto; }
  figure img { border-radius: 4px; }
  figcaption { margin-bottom: 8px; font-weight: 600; }
  pre { margin: 8px 0; padding: 8px 12px; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; }
  ul.banner { list-style: none; }
  .banner { margin: 16px 0; padding: 8px 12px; border-left: 3px solid var(--error); background: var(--error-soft); }
  @page { size: A4 landscape; margin: 14mm; }
  @media print {
    :root { color-scheme: light;${light}
    }
    body { padding: 0; max-width: none; font-size: 10pt; }
    h2 { margin-top: 24px; break-after: avoid; }
    .wide { overflow: visible; }
    table { font-size: 7pt; }
    th, td { padding: 2px 5px 2px 0; }
    thead { display: table-header-group; }
    tr, figure, pre, .notes li, .machine, .facts > div { break-inside: avoid; }
    .notes, .machine { break-before: avoid; }
    td { overflow-wrap: anywhere; }
    figure { margin: 8px 0 16px; }
  }
`
