#!/bin/sh
# Trains every model of this folder anew, from fixed seeds on sentences that Heed writes. With the
# same program and number of threads the files come out the same.
#   assets/models/train.sh [NAME ...]
set -eu
cd "$(dirname "$0")/../.."
heed=${HEED:-build/release/bin/heed}

train() {
  name=$1
  shift
  if [ -n "$wanted" ]; then
    case " $wanted " in *" $name "*) ;; *) return 0 ;; esac
  fi
  echo "== $name"
  "$heed" train "$@" --seed 1 -o "assets/models/$name.safetensors"
}
wanted="$*"

slowing="--schedule step --every 2000 --drop 0.4"
train zh-en-bahdanau --task zh-en --model seq2seq --hidden 112 --steps 9000 --sentences 120000 $slowing
train en-fr-bahdanau --task en-fr --model seq2seq --hidden 104 --embedding 36 --steps 14000 \
  --sentences 200000 --schedule step --every 3500 --drop 0.4
train dates --task dates --model seq2seq --steps 2500
train reverse --task reverse --model transformer --steps 9000 --max-length 12
train zh-en-transformer --task zh-en --model transformer --steps 9000 --sentences 120000
train en-fr-transformer --task en-fr --model transformer --steps 9000 --sentences 120000
