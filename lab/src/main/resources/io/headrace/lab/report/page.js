// What the reports share: data, numbers, table and plots.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);

// ---- numbers for people -------------------------------------------------------------------

const NONE = '–';
/** The value, or null where it was not measured: null, not a number, zero or less. */
const known = v => (typeof v === 'number' && Number.isFinite(v) && v > 0 ? v : null);
const grouped = (v, digits) => v.toLocaleString('en-US',
  {minimumFractionDigits: digits, maximumFractionDigits: digits});
/** Three significant digits, never fewer than the whole number. */
const digits = v => (v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2);
const or = format => v => (v == null ? NONE : format(v));

const rate = or(v => grouped(v, v < 99.95 ? 1 : 0));
const millis = or(v => (v > 0 && v < 0.005 ? '<0.01' : grouped(v, digits(v))));
const ratio = or(v => grouped(v, digits(v)) + '×');
// Rounds down, so that only untouched pixels show as 1.
const quality = or(v => grouped(Math.floor(v * 1000 + 1e-9) / 1000, 3));
const percent = v => grouped(100 * v, v > 0 && v < 0.01 ? 1 : 0) + '%';
const bytesAs = places => or(v => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let k = 0;
  while (k < units.length - 1 && v >= 1023.5) {
    v /= 1024;
    k++;
  }
  return grouped(v, k === 0 ? 0 : places(v)) + '\u00a0' + units[k];
});
const bytes = bytesAs(digits);
const roundBytes = bytesAs(v => (Number.isInteger(v) ? 0 : digits(v)));

// ---- text ----------------------------------------------------------------------------------

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Fills #id with names and values, or hides it if there are none. */
function fillList(id, facts) {
  $(id).hidden = facts.length === 0;
  $(id).querySelector('dl').append(...facts.map(([name, value]) =>
    make('div', {}, make('dt', {}, name), make('dd', {}, value))));
}

function fillMachine() {
  fillList('machine', Object.entries(data.machine).filter(([name]) => name !== 'Command'));
  $('command').hidden = !data.machine.Command;
  // Word by word, since a line may not break after the dashes of an option.
  $('command').querySelector('code').append(...(data.machine.Command ?? '').split(' ')
    .flatMap(word => [make('span', {}, word), ' ']));
}

// ---- table ---------------------------------------------------------------------------------

/**
 * Fills the table: columns have `title`, `unit`, `value(row)`, `number`, and `show(row)` where they are numbers.
 * Rows have `number`, which decides between equals, and get their `line`.
 */
function fillTable(columns, rows, rowClass, cell) {
  for (const row of rows) {
    row.line = make('tr', {class: rowClass(row)}, ...columns.map(column => cell(column, row)));
  }
  for (const column of columns) {
    const button = make('button', {type: 'button'}, column.title);
    if (column.unit) button.append(make('span', {class: 'unit'}, ' ' + column.unit));
    column.head = make('th', {scope: 'col', class: column.number ? 'number' : 'text'}, button);
    button.addEventListener('click', () => {
      const sorted = column.head.getAttribute('aria-sort');
      const first = column.number && column.title !== '#' ? 'descending' : 'ascending';
      sortBy(columns, rows, column, !sorted ? first : sorted === 'ascending' ? 'descending' : 'ascending');
    });
    $('columns').append(column.head);
  }
  sortBy(columns, rows, columns[0], 'ascending');
}

/** Sorts the lines; what is unknown comes last either way. */
function sortBy(columns, rows, column, direction) {
  const sign = direction === 'ascending' ? 1 : -1;
  const sorted = [...rows].sort((a, b) => {
    const x = column.value(a), y = column.value(b);
    const missing = v => v == null || v === '';
    if (missing(x) || missing(y)) return missing(x) - missing(y);
    return sign * (column.number ? x - y : x.localeCompare(y)) || a.number - b.number;
  });
  $('rows').append(...sorted.map(row => row.line));
  for (const other of columns) other.head.removeAttribute('aria-sort');
  column.head.setAttribute('aria-sort', direction);
}

// ---- plots ---------------------------------------------------------------------------------

const style = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
function config() {
  const axis = {
    labelFontSize: 14, titleFontSize: 14, titleFontWeight: 'normal', labelColor: style('soft'),
    titleColor: style('soft'), gridColor: style('line'), domainColor: style('line'),
    tickColor: style('line'), titlePadding: 10,
  };
  return {
    font: style('sans'), background: 'transparent', view: {stroke: null}, axis,
    text: {fontSize: 14, color: style('ink')}, rule: {color: style('soft')},
  };
}

const views = new Map();

/** Draws a Vega-Lite specification into #id; `more` are Vega marks laid on top. */
function draw(id, spec, more = []) {
  views.get(id)?.finalize();
  $('tip').hidden = true;
  const whole = {
    autosize: {type: 'fit-x', contains: 'padding'}, width: $(id).clientWidth, config: config(), ...spec,
  };
  const compiled = vegaLite.compile(whole, {logger: vega.logger(vega.Error)}).spec;
  compiled.marks.push(...more);
  const view = new vega.View(vega.parse(compiled), {renderer: 'svg', container: $(id), hover: false});
  view.tooltip(showTip);
  views.set(id, view);
  return view.runAsync();
}

function showTip(_handler, event, _item, value) {
  const tip = $('tip');
  tip.hidden = !value;
  if (!value) return;
  tip.textContent = value;
  const at = event.touches?.[0] ?? event;
  const {width, height} = tip.getBoundingClientRect();
  const left = Math.min(at.clientX + 14, document.documentElement.clientWidth - width - 8);
  const top = at.clientY + 14 + height > innerHeight ? at.clientY - height - 14 : at.clientY + 14;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.max(8, top) + 'px';
}

const symbol = path => `<svg viewBox="-8 -8 16 16" aria-hidden="true">${path}</svg>`;
function key(id, entries) {
  $(id).replaceChildren(...entries.map(([drawn, text]) => {
    const item = make('li', {});
    item.innerHTML = symbol(drawn);
    item.append(text);
    return item;
  }));
}
const swatch = name => `<rect x="-7" y="-7" width="14" height="14" fill="var(--${name})"/>`;

/** Calls `drawAll` whenever the page is another width than `drawnAt()`, or changes its colours. */
function redrawWhenResized(drawnAt, drawAll) {
  let due = 0;
  new ResizeObserver(() => {
    cancelAnimationFrame(due);
    due = requestAnimationFrame(() => {
      if (document.querySelector('main').clientWidth !== drawnAt()) drawAll();
    });
  }).observe(document.querySelector('main'));
  addEventListener('scroll', () => { $('tip').hidden = true; }, {passive: true});
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
}
