import { randomBytes } from 'node:crypto'

// The webhooks of the shop of `gatehouse demo`, for `npm start` and the screenshots: their configuration, and scripts that do
// nothing but write what such a job would.

/** Another one for each start, because a fixed one would be public. */
export const demoToken = randomBytes(16).toString('hex')

/** The keys of the file of `gatehouse api`. */
export const demoWebhooks = `
# The token of the administrator shows all runs.
admin: { token: ${demoToken} }

# POST /webhook runs a command for senders with the token. These commands are harmless: they only write text.
webhooks:
  - id: hello
    token: ${demoToken}
    execute_command: echo Hello,
    workdir: ""
    command_arguments:
      - { name: "", source: data.name }
    include_output: always
  - id: deploy
    token: ${demoToken}
    execute_command: sh deploy.sh
    workdir: .
    command_arguments:
      - { name: "", source: data.image, pattern: "[a-z0-9/:.-]+", max_length: 80 }
    timeout: 2m
  - id: import-prices
    token: ${demoToken}
    execute_command: sh import-prices.sh
    workdir: .
    command_arguments:
      - { name: "", source: data.supplier, default: northwind, pattern: "[a-z]+" }
  - id: backup
    token: ${demoToken}
    execute_command: sh backup.sh
    workdir: .
    mode: async
    on_busy: latest
`

const colours = `
step() { printf '\\033[1;36m==>\\033[0m \\033[1m%s\\033[0m\\n' "$1"; }
ok() { printf '    \\033[32m✓\\033[0m %s\\n' "$1"; }
`

/** The scripts by name. */
export const demoScripts = {
  'deploy.sh': `${colours}
image=$1
step "Pull $image"
for layer in 5f22d8 a91c07 c03be4 77d1aa e82f10; do sleep 0.3; echo "    $layer: pull complete"; done
ok "pulled"
step "Run migrations"
sleep 0.5; ok "0041_add_gift_cards"; sleep 0.4; ok "0042_index_orders_by_customer"
printf '\\033[33mwarning:\\033[0m column orders.note is deprecated\\n' >&2
step "Roll out to 6 pods"
for pod in 1 2 3 4 5 6; do
  sleep 0.7
  case $image in
    *-broken)
      if [ $pod = 3 ]; then
        printf '\\033[31mERROR\\033[0m checkout-%s: readiness probe failed: GET /healthz: 503\\n' $pod >&2
        printf '\\033[41m ROLLBACK \\033[0m the last two pods go back to the image before\\n' >&2
        exit 1
      fi ;;
  esac
  ok "checkout-$pod is ready"
done
printf '\\033[42m DONE \\033[0m %s serves the shop\\n' "$image"
`,
  'import-prices.sh': `${colours}
step "Fetch prices of $1"
sleep 0.4
n=1
while [ $n -le 40 ]; do
  echo "$(date -u +%H:%M:%S) sku-$((4200 + n * 7)) price $((n * 13 % 97)).90"
  [ $((n % 17)) = 0 ] && echo "sku-$((4200 + n * 7)): no currency, EUR assumed" >&2
  n=$((n + 1))
done
ok "40 prices imported"
`,
  'backup.sh': `${colours}
step "Dump database shop"
percent=0
while [ $percent -le 100 ]; do
  printf '\\r    %3d %% of 48 GB' $percent
  [ $((percent % 10)) = 0 ] && printf '\\n' && ok "$((percent * 480 / 100)) of 480 tables"
  percent=$((percent + 2)); sleep 1
done
step "Upload"
sleep 2; ok "shop-$(date -u +%F).dump.zst"
`,
}
